"""Text that is no HTML, although it may be sent as such: JSON, feeds, programs, tables, logs.

Whatever leaves doubt is taken for HTML, as is prose without any tag, which browsers show as a page.
"""

from __future__ import annotations

import re
from typing import Final

# The elements of HTML, also of its past.
_ELEMENTS: Final = """a abbr acronym address applet area article aside audio b base basefont bdi bdo
big blink blockquote body br button canvas caption center cite code col colgroup data datalist dd
del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame
frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins isindex kbd label
layer legend li link listing main map mark marquee menu menuitem meta meter nav nobr noembed
noframes nolayer noscript object ol optgroup option output p param picture plaintext pre progress q
rb rp rt rtc ruby s samp script search section select slot small source span strike strong style
sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var
video wbr xmp""".split()
# Custom elements have a hyphen.
_ELEMENT: Final = rf"(?:{'|'.join(_ELEMENTS)}|[a-z][a-z0-9]*-[a-z0-9-]*)"
_TAG: Final = re.compile(rf"<(?:!doctype|/?{_ELEMENT})(?=[\s/>])".encode(), re.IGNORECASE)

# UTF-16 without its zeros is close enough to ASCII.
_ZERO: Final = b"\0"
_BLANK: Final = b"\xef\xbb\xbf\xfe\xff \t\r\n\f\v"

# The whole of it, so that a page that begins with some JSON is none. What JSON may nest is not
# checked.
_JSON: Final = re.compile(
    rb"""[\[{](?:[\s\[\]{},:+\-.0-9eE]++|"(?:[^"\\\x00-\x1f]|\\.)*+"|true|false|null)*+"""
)

# Declarations, comments and the document type before the first element, which is the group.
_ROOT: Final = re.compile(
    rb"(?:\s++|<\?.*?\?>|<!--.*?-->|<!doctype[^<>\[]*+(?:\[[^\]]*+\]\s*+)?>)*+"
    rb"<(?:[\w-]+:)?([\w-]+)",
    re.DOTALL | re.IGNORECASE,
)
_FEEDS: Final = frozenset({b"rss", b"feed", b"rdf", b"urlset", b"sitemapindex", b"opml"})
_XML: Final = b"<?xml"
_PAGE: Final = re.compile(rb"<(?:[\w-]+:)?(?:html|body)[\s>]", re.IGNORECASE)

# How scripts, with or without what hinders their use by other sites, and style sheets begin.
_PROGRAM: Final = re.compile(
    rb"""(?:\s++|//[^\n]*+|/\*.*?\*/)*+(?:
        ["']use\ strict["'] | \)\]\}' | (?:while|for)\s*+\((?:1|;;)\)
        | [!+;(]*+(?:async\s++)?function\b[\s\w$]*+\( | (?:var|let|const)\s++[\w$]++\s*+=
        | (?:window|document|self)\.\w | (?:define|require|jQuery|\$)\( | import\s*+[{"'*]
        | [\w$.]++\(\s*+[\[{]
        | @(?:charset|font-face|import|keyframes|layer|media|namespace)\b
        | [\w\s.\#:*,>~+()\[\]="'-]{1,200}+\{\s*+[\w-]++\s*+:
    )""",
    re.DOTALL | re.VERBOSE,
)
# Comments and strings of a program, also those that do not end.
_QUOTED: Final = re.compile(
    rb"""//[^\n]*+|/\*.*?(?:\*/|\Z)|"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?|`(?:[^`\\]|\\.)*+`?""",
    re.DOTALL,
)

# Lines of logs begin with a date and a time, or with an address.
_STAMP: Final = re.compile(
    rb"\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|"
    rb"\d{1,3}(?:\.\d{1,3}){3} )"
)
_QUOTED_CELL: Final = re.compile(rb'"[^"]*+"')
_DELIMITERS: Final = (b",", b";", b"\t")
# The first lines, and how many of them, tell a table or log.
_START: Final = 65_536
_FEWEST_LINES: Final = 10
_MOST_LINES: Final = 50


def foreign_text(body: bytes) -> str:
    """What the text is if it is no HTML: ``JSON``, ``XML``, ``a program`` or ``a table or log``.

    Style sheets are programs. Empty if it may be HTML. Takes linear time.

    >>> foreign_text(b'{"a": "<p>b"}'), foreign_text(b"{a} <p>b")
    ('JSON', '')
    >>> foreign_text(b"<rss><channel/></rss>"), foreign_text(b"p { margin: 0 }")
    ('XML', 'a program')
    """
    text = body.replace(_ZERO, b"").strip(_BLANK)
    if _JSON.fullmatch(text):
        return "JSON"
    if _is_xml(text):
        return "XML"
    if _PROGRAM.match(text) and not _TAG.search(_QUOTED.sub(b"", text)):
        return "a program"
    # A page's first tag is found at once.
    if not _TAG.search(text) and _are_records(text):
        return "a table or log"
    return ""


def _is_xml(text: bytes) -> bool:
    found = _ROOT.match(text)
    if found is None:
        return False
    root = found[1].lower()
    if root in _FEEDS:
        return True
    is_declared = text[: len(_XML)].lower() == _XML
    return is_declared and not _TAG.match(b"<%b>" % root) and not _PAGE.search(text)


def _are_records(text: bytes) -> bool:
    """Whether all of the first lines have as many cells, or begin as those of a log."""
    lines = [line for line in map(bytes.strip, text[:_START].splitlines()) if line][:_MOST_LINES]
    if len(lines) < _FEWEST_LINES:
        return False
    if all(map(_STAMP.match, lines)):
        return True
    bare = [_QUOTED_CELL.sub(b"", line) for line in lines]
    counts = [{line.count(delimiter) for line in bare} for delimiter in _DELIMITERS]
    return any(len(count) == 1 and count != {0} for count in counts)

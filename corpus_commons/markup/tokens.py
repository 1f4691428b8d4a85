"""The tokens of HTML as regular expressions, after the standard's tokenizer (section 13.2.5)."""

from __future__ import annotations

import re

_SPACE = rb"[\t\n\f\r ]"
_NOT_SPACE = rb"[^\t\n\f\r "
_NAME = _NOT_SPACE + rb"/>]" + _NOT_SPACE + rb"/>=]*+"
_VALUE = (
    rb"(?:" + _SPACE + rb"*+=" + _SPACE + rb"*+"
    rb"(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|(?=>)|" + _NOT_SPACE + rb">]++)?)?+"
)
# The group is the attribute's name.
ATTRIBUTE = re.compile(rb"(" + _NAME + rb")" + _VALUE)
# A quoted value that is separated from the "=" by white space.
QUOTE_AFTER_SPACE = re.compile(rb"=" + _SPACE + rb"++[\"']")
# What begins with "<": a comment, a bogus comment, or a tag with its attributes. Every alternative
# also matches up to the end of the page, so a search takes linear time.
TOKEN = re.compile(
    rb"<!--(?:-?>|.*?(?:--!?>|\Z))"
    rb"|<(?:[!?]|/(?![a-zA-Z]))[^>]*+>?"
    rb"|<(/?)([a-zA-Z]" + _NOT_SPACE + rb"/>]*+)"
    rb"((?:[\t\n\f\r /]++|" + _NAME + _VALUE + rb")*+)(?:>|\Z)",
    re.S,
)
# Attributes with a slash behind them that belongs to none: an unquoted value may end in one.
_WITH_SLASH = re.compile(rb"(?:[\t\n\f\r /]*+" + _NAME + _VALUE + rb")*+[\t\n\f\r /]*/")
START_TAG = re.compile(rb"<([a-zA-Z]" + _NOT_SPACE + rb"/>]*+)")
_SCRIPT_MARK = re.compile(rb"<!--|-->|<(/?)script(?=[\t\n\f\r />])", re.I)
# Comments and CDATA sections without < and >, which are the same in HTML and in svg.
PLAIN_CONTENT = re.compile(
    rb"(?:[^<]++|<!--[^<>]*+(?<=--)>|<!\[CDATA\[[^<>]*+(?<=\]\])>)*+</([a-zA-Z]++)(?=[\t\n\f\r />])"
)
_PLAIN_CDATA = re.compile(rb"<!\[CDATA\[[^<>]*+(?<=\]\])>\Z")


RAW_TEXT = frozenset(
    (b"iframe", b"noembed", b"noframes", b"script", b"style", b"textarea", b"title", b"xmp")
)

_END_OF_RAW_TEXT = {
    name: re.compile(rb"</" + name + rb"(?=[\t\n\f\r />])", re.I) for name in RAW_TEXT
}


def closes_itself(attributes: bytes) -> bool:
    """Whether a tag with these attributes, the third group of ``TOKEN``, ends in a slash."""
    return attributes.endswith(b"/") and _WITH_SLASH.fullmatch(attributes) is not None


def reads_the_same(token: bytes) -> bool:
    """Whether a comment or CDATA section ends at the same place in HTML and in svg."""
    return not token.startswith(b"<![CDATA[") or _PLAIN_CDATA.match(token) is not None


def end_of_raw_text(page: bytes, name: bytes, position: int) -> int | None:
    """Where the end tag of a raw text element begins; None if it has none."""
    if name == b"script":
        return _end_of_script(page, position)
    end = _END_OF_RAW_TEXT[name].search(page, position)
    return end.start() if end else None


def _end_of_script(page: bytes, position: int) -> int | None:
    """The same for a script, whose comments may contain scripts (section 13.2.5.15 ff.)."""
    escaped = twice = False
    while mark := _SCRIPT_MARK.search(page, position):
        position = mark.end()
        if mark.group() == b"<!--":
            escaped = True
            # "<!-->" ends at once.
            position -= 2
        elif mark.group() == b"-->":
            escaped = twice = False
        elif not mark[1]:
            twice = escaped
        elif not twice:
            return mark.start()
        else:
            twice = False
    return None

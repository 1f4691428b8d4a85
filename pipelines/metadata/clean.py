"""Cleans strings from pages: one line, no markup, bounded length."""

from __future__ import annotations

import re
import unicodedata
from html import unescape

from corpus_commons.markup.beginnings import beginning
from corpus_commons.markup.segment_breaks import without_segment_breaks

# Only this many characters of a raw value are read.
_LONGEST_RAW = 20_000
_TAG = re.compile(r"<(?:/?([a-z][\w:-]*)|!)[^<>]{0,1000}>", re.I)
_CLOSED = re.compile(r"</([a-z][\w:-]*)\s*>", re.I)
# Tags that need no end tag, unless they stand as a word: "The <br> tag".
_BREAK = re.compile(r"(?<=\w)<(?:br|p)>|<(?:br|p)>(?=\w)|<br\s*/>", re.I)
# What mail and plain text put into angle brackets.
_ADDRESS = re.compile(r"@|://|\sat\s")
_UNSEEN = re.compile(r"[\u00ad\u200b\u2060\ufeff\ufffd\ud800-\udfff\x00-\x08\x0e-\x1f\x7f-\x9f]")


def clean(value: object, longest: int) -> str | None:
    r"""The string in NFC, without tags, entities, control characters and line breaks.

    A tag without an end tag is a word of a text about HTML or source code, and stays.

    longest: in characters; a longer string is truncated as by ``beginning``. Returns None if the
    value is not a string or nothing is left of it.

    >>> clean("  Ham &amp;\n <b>eggs</b> ", 100), clean("one two three", 9), clean(" ", 9)
    ('Ham & eggs', 'one two…', None)
    >>> clean("List<String> and the <table> tag", 100)
    'List<String> and the <table> tag'
    """
    if not isinstance(value, str):
        return None
    text = _UNSEEN.sub("", _without_markup(unescape(value[:_LONGEST_RAW])))
    text = unicodedata.normalize("NFC", " ".join(without_segment_breaks(text).split()))
    return beginning(text, longest) or None


def _without_markup(text: str) -> str:
    closed = {name.lower() for name in _CLOSED.findall(text)}

    def words(tag: re.Match[str]) -> str:
        is_markup = tag[1] is None or tag[1].lower() in closed or _ADDRESS.search(tag[0])
        return " " if is_markup else tag[0]

    return _TAG.sub(words, _BREAK.sub(" ", text))

"""Cleans strings from pages: one line, no markup, bounded length."""

from __future__ import annotations

import re
import unicodedata
from html import unescape

from corpus_commons.markup.segment_breaks import without_segment_breaks

# Only this many characters of a raw value are read.
_LONGEST_RAW = 20_000
_TAG = re.compile(r"<[a-zA-Z/!][^<>]{0,1000}>")
_UNSEEN = re.compile(r"[\u00ad\u200b\u2060\ufeff\ufffd\ud800-\udfff\x00-\x08\x0e-\x1f\x7f-\x9f]")


def clean(value: object, longest: int) -> str | None:
    r"""The string in NFC, without tags, entities, control characters and line breaks.

    longest: in characters; a longer string is truncated at a word, with an ellipsis. Returns None
    if the value is not a string or nothing is left of it.

    >>> clean("  Ham &amp;\n <b>eggs</b> ", 100), clean("one two three", 9), clean(" ", 9)
    ('Ham & eggs', 'one two…', None)
    """
    if not isinstance(value, str):
        return None
    text = _UNSEEN.sub("", _TAG.sub(" ", unescape(value[:_LONGEST_RAW])))
    text = unicodedata.normalize("NFC", " ".join(without_segment_breaks(text).split()))
    if len(text) > longest:
        cut = text[: longest - 1]
        # Text in scripts without spaces is truncated at any character.
        begin, _, end = cut.rpartition(" ")
        text = (begin if begin and len(end) < longest // 2 else cut).rstrip() + "…"
    return text or None

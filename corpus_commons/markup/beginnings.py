"""The beginning of a text that is too long to be shown or kept whole."""

from __future__ import annotations

import re
from unicodedata import category

_WORDS = re.compile(r".*(?=\s)", re.DOTALL)
_JOINER = "\u200d"


def beginning(text: str, longest: int) -> str:
    """The text, or so many characters of it at most, truncated at a word and with an ellipsis.

    Text in scripts without spaces is truncated at any character, with its accents and vowel signs.

    >>> beginning("one two", 7), beginning("one two three", 9), beginning("东京的天气", 4)
    ('one two', 'one two…', '东京的…')
    """
    if len(text) <= longest:
        return text
    words = _WORDS.match(text[:longest])
    if words is not None and words.end() >= longest // 2:
        return words[0].rstrip() + "…"
    end = longest - 1
    while end and _continues(text, end):
        end -= 1
    return text[:end] + "…"


def _continues(text: str, at: int) -> bool:
    """Whether it belongs to the character before it: an accent, a vowel sign, a joined emoji."""
    return _JOINER in text[at - 1 : at + 1] or category(text[at]).startswith("M")

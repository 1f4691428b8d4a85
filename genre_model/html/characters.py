"""What the text nodes of a page are made of, counted for all of them at once.

The texts become one array of code points, a table names the class of each, and counts are sums
over stretches of that array. Words are runs of letters and digits; scripts written without
spaces count each character as a part of a word, so that lengths compare across scripts.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

Floats = npt.NDArray[np.float64]
Classes = npt.NDArray[np.uint8]
Codes = npt.NDArray[np.uint32]

# Chinese and Japanese take about this many characters to say what a word says.
_CHARACTERS_A_WORD = 1.7
_PLANE = 0x10000
_NEAR = np.array((-2, -1, 1, 2))


class CharacterClass(IntEnum):
    """The classes that characters are counted in."""

    OTHER = 0
    SPACE = 1
    LOWER = 2
    UPPER = 3
    UNSPACED = 4
    DIGIT = 5
    FULL_STOP = 6
    QUESTION = 7
    EXCLAMATION = 8
    COMMA = 9
    COLON = 10
    QUOTE = 11
    BRACKET = 12
    CURRENCY = 13
    SEPARATOR = 14
    PUNCTUATION = 15


_NAMED = {
    CharacterClass.FULL_STOP: ".…。｡।۔",
    CharacterClass.QUESTION: "?？؟",
    CharacterClass.EXCLAMATION: "!！",
    CharacterClass.COMMA: ",;，；、،؛､",
    CharacterClass.COLON: ":：",
    CharacterClass.QUOTE: "\"'“”‘’«»„‹›「」『』《》",
    CharacterClass.BRACKET: "()[]{}（）【】",
    CharacterClass.SEPARATOR: "|/\\•·–—-→<>©®™+*#@&=_~",
}
_UNSPACED_RANGES = (
    (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3040, 0x30FF), (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x0E00, 0x0E7F), (0x1780, 0x17FF),
)  # fmt: skip


@cache
def _table() -> Classes:
    """The class of every code point of the Basic Multilingual Plane."""
    table = np.zeros(_PLANE, dtype=np.uint8)
    of_category = {
        "P": CharacterClass.PUNCTUATION, "N": CharacterClass.DIGIT, "Z": CharacterClass.SPACE,
        "L": CharacterClass.LOWER, "M": CharacterClass.LOWER,
    }  # fmt: skip
    for code in range(_PLANE):
        category = unicodedata.category(chr(code))
        table[code] = of_category.get(category[0], CharacterClass.OTHER)
        if category == "Lu":
            table[code] = CharacterClass.UPPER
        elif category == "Sc":
            table[code] = CharacterClass.CURRENCY
    table[[ord(character) for character in " \t\f\v\r\n"]] = CharacterClass.SPACE
    for first, last in _UNSPACED_RANGES:
        table[first : last + 1] = CharacterClass.UNSPACED
    for named, characters in _NAMED.items():
        table[[ord(character) for character in characters]] = named
    return table


def classified(text: str) -> tuple[Codes, Classes]:
    """The code point and the class of every character."""
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)
    classes = _table()[np.minimum(codes, _PLANE - 1)]
    classes[codes >= _PLANE] = CharacterClass.OTHER
    return codes, classes


@dataclass(frozen=True, eq=False)
class Characters:
    """Counts for every text; arrays of one entry a text.

    joined: all texts, a NUL after each. codes, classes, text_of: the code point of every
    character of it, its class, and its text.
    counts: (texts, classes), how many characters of each class.
    words: words, unspaced scripts in word equivalents.
    capitalised: words that begin with a capital.
    sentences: sentence ends followed by space, an unspaced script, or the text's end.
    prices: currency signs beside a digit.
    """

    joined: str
    codes: Codes
    classes: Classes
    text_of: npt.NDArray[np.int64]
    counts: Floats
    words: Floats
    capitalised: Floats
    sentences: Floats
    prices: Floats


def count(texts: Sequence[str]) -> Characters:
    """The counts of every text."""
    n = len(texts)
    # A NUL after each text ends words and sentences there.
    joined = "".join([text + "\0" for text in texts])
    codes, classes = classified(joined)
    lengths = np.fromiter((len(text) + 1 for text in texts), np.int64, n)
    text_of = np.repeat(np.arange(n), lengths)

    def total(flags: npt.NDArray[np.bool_]) -> Floats:
        return np.bincount(text_of[flags], minlength=n).astype(np.float64)

    kinds = len(CharacterClass)
    counts = np.bincount(text_of * kinds + classes, minlength=n * kinds).reshape(n, kinds)
    counts[:, CharacterClass.OTHER] -= 1
    is_word = (classes >= CharacterClass.LOWER) & (classes <= CharacterClass.DIGIT)
    is_word &= classes != CharacterClass.UNSPACED
    begins = is_word.copy()
    begins[1:] &= ~is_word[:-1]
    after = np.append(classes[1:], np.uint8(0)) if len(classes) else classes
    ends = (classes >= CharacterClass.FULL_STOP) & (classes <= CharacterClass.EXCLAMATION)
    ends &= (after <= CharacterClass.SPACE) | (after == CharacterClass.UNSPACED)
    unspaced = counts[:, CharacterClass.UNSPACED] / _CHARACTERS_A_WORD
    return Characters(
        joined=joined,
        codes=codes,
        classes=classes,
        text_of=text_of,
        counts=counts.astype(np.float64),
        words=total(begins) + unspaced,
        capitalised=total(begins & (classes == CharacterClass.UPPER)),
        sentences=total(ends),
        prices=np.bincount(text_of[_prices(classes)], minlength=n).astype(np.float64),
    )


def _prices(classes: Classes) -> npt.NDArray[np.int64]:
    """Where currency signs stand with a digit at most one character off."""
    signs = np.flatnonzero(classes == CharacterClass.CURRENCY)
    near = np.clip(signs[:, None] + _NEAR, 0, len(classes) - 1)
    priced: npt.NDArray[np.int64] = signs[(classes[near] == CharacterClass.DIGIT).any(axis=1)]
    return priced

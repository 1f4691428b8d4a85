"""What the text of every block is made of, counted for all blocks of a page at once.

The blocks' texts become one array of code points, a table names the class of each, and counts
are sums over the stretches of the array. Words are runs of letters and digits; scripts written
without spaces count each character as a part of a word, so that lengths compare across scripts.
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

Floats = npt.NDArray[np.float32]

# Chinese and Japanese take about this many characters to say what a word says.
_CHARACTERS_A_WORD = 1.7


class CharacterClass(IntEnum):
    """The classes that characters are counted in."""

    OTHER = 0
    SPACE = 1
    LOWER = 2
    UPPER = 3
    UNSPACED = 4
    DIGIT = 5
    SENTENCE_END = 6
    COMMA = 7
    COLON = 8
    QUOTE = 9
    PUNCTUATION = 10
    CURRENCY = 11
    SEPARATOR = 12
    NEWLINE = 13


_NAMED = {
    CharacterClass.SENTENCE_END: ".!?…。！？｡؟।",
    CharacterClass.COMMA: ",;，；、،؛､",
    CharacterClass.COLON: ":：",
    CharacterClass.QUOTE: "\"'“”‘’«»„‹›「」『』《》",
    CharacterClass.SEPARATOR: "|/\\•·–—-»›>→‹<©®™+*#@&=_~",
}
_UNSPACED_RANGES = (
    (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3040, 0x30FF), (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x0E00, 0x0E7F),
)  # fmt: skip


@cache
def _table() -> npt.NDArray[np.uint8]:
    """The class of every code point of the Basic Multilingual Plane."""
    table = np.zeros(0x10000, dtype=np.uint8)
    for code in range(0x10000):
        category = unicodedata.category(chr(code))
        if category[0] in "LM":
            table[code] = CharacterClass.UPPER if category == "Lu" else CharacterClass.LOWER
        elif category[0] == "N":
            table[code] = CharacterClass.DIGIT
        elif category[0] == "P":
            table[code] = CharacterClass.PUNCTUATION
        elif category == "Sc":
            table[code] = CharacterClass.CURRENCY
        elif category[0] == "Z":
            table[code] = CharacterClass.SPACE
    table[[ord(c) for c in " \t\f\v\r"]] = CharacterClass.SPACE
    table[ord("\n")] = CharacterClass.NEWLINE
    for first, last in _UNSPACED_RANGES:
        table[first : last + 1] = CharacterClass.UNSPACED
    for named, characters in _NAMED.items():
        table[[ord(c) for c in characters]] = named
    return table


@dataclass(frozen=True, eq=False)
class Characters:
    """Counts for every text; arrays of one entry a text.

    counts: (texts, classes), how many characters of each class.
    lengths: characters in all.
    words: words, unspaced scripts in word equivalents.
    capitalised: words that begin with a capital.
    numbers: words that begin with a digit.
    sentences: sentence ends followed by space or the text's end.
    first, last: class of the first and the last character.
    """

    counts: Floats
    lengths: Floats
    words: Floats
    capitalised: Floats
    numbers: Floats
    sentences: Floats
    first: npt.NDArray[np.uint8]
    last: npt.NDArray[np.uint8]


def count(texts: Sequence[str]) -> Characters:
    """The counts of every text. Texts must not be empty."""
    lengths = np.fromiter((len(text) for text in texts), np.int64, len(texts))
    starts = np.zeros(len(texts), dtype=np.int64)
    np.cumsum(lengths[:-1] + 1, out=starts[1:])
    # A zero between texts ends words and sentences at each text's end.
    joined = "\0".join(texts) + "\0"
    codes = np.frombuffer(joined.encode("utf-32-le", "replace"), dtype=np.uint32)
    classes = _table()[np.minimum(codes, 0xFFFF)]
    classes[codes > 0xFFFF] = CharacterClass.OTHER

    def sums(flags: npt.NDArray[np.bool_]) -> Floats:
        return np.add.reduceat(flags, starts, dtype=np.int32).astype(np.float32)

    text_of = np.repeat(np.arange(len(texts)), lengths + 1)
    n_classes = len(CharacterClass)
    counts = np.bincount(text_of * n_classes + classes, minlength=len(texts) * n_classes)
    counts = counts.reshape(len(texts), n_classes)
    counts[:, CharacterClass.OTHER] -= 1

    is_word = (classes >= CharacterClass.LOWER) & (classes <= CharacterClass.DIGIT)
    is_unspaced = classes == CharacterClass.UNSPACED
    before = np.zeros_like(is_word)
    before[1:] = is_word[:-1]
    starts_word = is_word & ~is_unspaced & ~before
    ends_sentence = classes == CharacterClass.SENTENCE_END
    after = np.zeros_like(classes)
    after[:-1] = classes[1:]
    ends_sentence &= (after <= CharacterClass.SPACE) | (after >= CharacterClass.UNSPACED)
    unspaced = counts[:, CharacterClass.UNSPACED] / _CHARACTERS_A_WORD
    return Characters(
        counts=counts.astype(np.float32),
        lengths=lengths.astype(np.float32),
        words=sums(starts_word) + unspaced.astype(np.float32),
        capitalised=sums(starts_word & (classes == CharacterClass.UPPER)),
        numbers=sums(starts_word & (classes == CharacterClass.DIGIT)),
        sentences=sums(ends_sentence),
        first=classes[starts],
        last=classes[starts + lengths - 1],
    )

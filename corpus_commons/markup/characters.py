"""Classifies every character, for all texts of a page at once.

The texts are concatenated into one array of code points, a table gives the class of each, and
counts
are sums over parts of that array. The caller defines the classes; letters, digits and spaces are
recognised by their Unicode categories.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

Classes = npt.NDArray[np.uint8]
Codes = npt.NDArray[np.uint32]
Integers = npt.NDArray[np.int64]

# A word corresponds to about this many characters of Chinese or Japanese.
CHARACTERS_A_WORD = 1.7
IDEOGRAPHS = (
    (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3040, 0x30FF),
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF),
)  # fmt: skip
THAI_AND_LAO = (0x0E00, 0x0EFF)
MYANMAR = (0x1000, 0x109F)
KHMER = (0x1780, 0x17FF)
TIBETAN = (0x0F00, 0x0FFF)
# Scripts without spaces, of which several letters make a word.
SYLLABIC = (THAI_AND_LAO, TIBETAN, MYANMAR, KHMER)
# Scripts written without spaces between words.
UNSPACED = (*IDEOGRAPHS, THAI_AND_LAO, MYANMAR, KHMER)

_PLANE = 0x10000


class Alphabet:
    """A class for every code point; those beyond the Basic Multilingual Plane have class 0.

    categories: the class of a Unicode category, or of all categories with the same first letter.
    unspaced: ranges of code points with the class ``unspaced_class``, whatever their category.
    named: characters with a given class; takes precedence over the others.
    """

    def __init__(
        self,
        categories: Mapping[str, int],
        unspaced: Iterable[tuple[int, int]],
        unspaced_class: int,
        named: Mapping[int, str],
    ) -> None:
        self._categories = dict(categories)
        self._unspaced = tuple(unspaced)
        self._unspaced_class = unspaced_class
        self._named = dict(named)

    def classify(self, codes: Codes) -> Classes:
        """The class of every code point."""
        classes: Classes = self._table.take(codes, mode="clip")
        if codes.max(initial=0) >= _PLANE:
            classes[codes >= _PLANE] = 0
        return classes

    @cached_property
    def _table(self) -> Classes:
        of = self._categories
        class_of = {
            category: of.get(category, of.get(category[0], 0)) for category in set(_plane())
        }
        table = np.array([class_of[category] for category in _plane()], dtype=np.uint8)
        for first, last in self._unspaced:
            table[first : last + 1] = self._unspaced_class
        for kind, characters in self._named.items():
            table[[ord(character) for character in characters]] = kind
        return table


def in_brackets(ranges: Iterable[tuple[int, int]]) -> str:
    """The ranges in the form for a character class of a regular expression.

    >>> in_brackets([(0x61, 0x63), (0x78, 0x7A)])
    'a-cx-z'
    """
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


def code_points(text: str) -> Codes:
    """The code point of every character."""
    return np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)


@dataclass(frozen=True, eq=False)
class Classified:
    """Several texts as one array of characters, with a NUL after each text.

    codes, classes: of every character. text_of: the index of its text.
    starts, lengths: of every text.
    """

    codes: Codes
    classes: Classes
    text_of: Integers
    starts: Integers
    lengths: Integers

    def totals(self, flags: npt.NDArray[np.bool_]) -> Integers:
        """For every text, the number of its flagged characters."""
        return np.bincount(self.text_of[np.flatnonzero(flags)], minlength=len(self.lengths))

    def by_class(self, kinds: int) -> Integers:
        """(texts, kinds): the number of characters of each class, without the NULs."""
        n = len(self.lengths)
        cells = self.text_of * kinds + self.classes
        counts = np.bincount(cells, minlength=n * kinds).reshape(n, kinds)
        counts[:, 0] -= 1
        return counts


def classified(texts: Sequence[str], alphabet: Alphabet) -> Classified:
    """Classify the texts by an alphabet in which NUL has class 0."""
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    # A NUL after each text ends words and sentences there.
    codes = code_points("\0".join([*texts, ""]))
    ends = np.cumsum(lengths + 1)
    return Classified(
        codes=codes,
        classes=alphabet.classify(codes),
        text_of=np.repeat(np.arange(len(texts)), lengths + 1),
        starts=ends - lengths - 1,
        lengths=lengths,
    )


@cache
def _plane() -> list[str]:
    """The Unicode category of every code point of the Basic Multilingual Plane."""
    return [unicodedata.category(chr(code)) for code in range(_PLANE)]

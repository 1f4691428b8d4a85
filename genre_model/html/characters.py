"""Counts of characters and words in every text node, made for several pages at once.

Words are runs of letters and digits. In scripts without spaces, each character counts as a fraction
of a word, so that lengths compare across scripts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.characters import (
    CHARACTERS_A_WORD,
    UNSPACED,
    Alphabet,
    Classes,
    Codes,
    Integers,
    classified,
)

Floats = npt.NDArray[np.float64]

_NEAR = np.array((-2, -1, 1, 2))
# A multiple of 2^-26, so that sums of words are exact, and do not depend on their order.
_WORDS_A_CHARACTER = round(2**26 / CHARACTERS_A_WORD) / 2**26


class CharacterClass(IntEnum):
    """The classes of characters."""

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


ALPHABET = Alphabet(
    categories={
        "L": CharacterClass.LOWER,
        "M": CharacterClass.LOWER,
        "Lu": CharacterClass.UPPER,
        "N": CharacterClass.DIGIT,
        "P": CharacterClass.PUNCTUATION,
        "Sc": CharacterClass.CURRENCY,
        "Z": CharacterClass.SPACE,
    },
    unspaced=UNSPACED,
    unspaced_class=CharacterClass.UNSPACED,
    named={
        CharacterClass.SPACE: " \t\f\v\r\n",
        CharacterClass.FULL_STOP: ".…。｡।۔",
        CharacterClass.QUESTION: "?？؟",
        CharacterClass.EXCLAMATION: "!！",
        CharacterClass.COMMA: ",;，；、،؛､",
        CharacterClass.COLON: ":：",
        CharacterClass.QUOTE: "\"'“”‘’«»„‹›「」『』《》",
        CharacterClass.BRACKET: "()[]{}（）【】",
        CharacterClass.SEPARATOR: "|/\\•·–—-→<>©®™+*#@&=_~",
    },
)


@dataclass(frozen=True, eq=False)
class Characters:
    """Counts for every text; the arrays have one entry per text.

    codes, classes, text_of: for every character of all texts, including a NUL after each text: its
        code point, its class, and the index of its text.
    counts: (texts, classes), the number of characters of each class.
    words: the number of words; fractional for scripts without spaces.
    capitalised: words that begin with a capital.
    sentences: sentence ends followed by a space, a script without spaces, or the end of the text.
    prices: currency signs next to a digit.
    """

    codes: Codes
    classes: Classes
    text_of: Integers
    counts: Floats
    words: Floats
    capitalised: Floats
    sentences: Floats
    prices: Floats


def count(texts: Sequence[str], page_of: npt.NDArray[np.integer]) -> Characters:
    """The counts of every text. page_of: the page of each; a price is on one page."""
    read = classified(texts, ALPHABET)
    classes = read.classes
    counts = read.by_class(len(CharacterClass)).astype(np.float64)
    is_word = (classes >= CharacterClass.LOWER) & (classes <= CharacterClass.DIGIT)
    is_word &= classes != CharacterClass.UNSPACED
    begins = is_word.copy()
    begins[1:] &= ~is_word[:-1]
    # The very last character is a NUL.
    after = classes[1:]
    ends = (classes >= CharacterClass.FULL_STOP) & (classes <= CharacterClass.EXCLAMATION)
    ends[:-1] &= (after <= CharacterClass.SPACE) | (after == CharacterClass.UNSPACED)
    unspaced = counts[:, CharacterClass.UNSPACED] * _WORDS_A_CHARACTER

    def totals(flags: npt.NDArray[np.bool_]) -> Floats:
        return read.totals(flags).astype(np.float64)

    return Characters(
        codes=read.codes,
        classes=classes,
        text_of=read.text_of,
        counts=counts,
        words=totals(begins) + unspaced,
        capitalised=totals(begins & (classes == CharacterClass.UPPER)),
        sentences=totals(ends),
        prices=np.bincount(_prices(classes, read.text_of, page_of), minlength=len(texts)).astype(
            np.float64
        ),
    )


def _prices(classes: Classes, text_of: Integers, page_of: npt.NDArray[np.integer]) -> Integers:
    """The texts of currency signs with a digit at most one character away."""
    signs = np.flatnonzero(classes == CharacterClass.CURRENCY)
    near = np.clip(signs[:, None] + _NEAR, 0, len(classes) - 1)
    texts = text_of[signs]
    is_digit = classes[near] == CharacterClass.DIGIT
    is_digit &= page_of[text_of[near]] == page_of[texts, None]
    priced: Integers = texts[is_digit.any(axis=1)]
    return priced

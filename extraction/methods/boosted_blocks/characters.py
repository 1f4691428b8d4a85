"""Counts of characters and words in every block, made for all blocks of a page at once.

Words are runs of letters and digits. In scripts without spaces, each character counts as a fraction
of a word, so that lengths compare across scripts.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.characters import CHARACTERS_A_WORD, UNSPACED, Alphabet, classified

if TYPE_CHECKING:
    from collections.abc import Sequence

    from extraction.methods.boosted_blocks.arrays import Singles

SENTENCE_ENDS: Final = ".!?…。！？｡؟।"
COLONS: Final = ":："


class CharacterClass(IntEnum):
    """The classes of characters."""

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


_ALPHABET = Alphabet(
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
        CharacterClass.SPACE: " \t\f\v\r",
        CharacterClass.NEWLINE: "\n",
        CharacterClass.SENTENCE_END: SENTENCE_ENDS,
        CharacterClass.COMMA: ",;，；、،؛､",
        CharacterClass.COLON: COLONS,
        CharacterClass.QUOTE: "\"'“”‘’«»„‹›「」『』《》",
        CharacterClass.SEPARATOR: "|/\\•·–—-»›>→‹<©®™+*#@&=_~",
    },
)


@dataclass(frozen=True, eq=False)
class Characters:
    """Counts for every text; the arrays have one entry per text.

    counts: (texts, classes), the number of characters of each class.
    lengths: the number of all characters.
    words: the number of words; fractional for scripts without spaces.
    capitalised: words that begin with a capital.
    numbers: words that begin with a digit.
    sentences: sentence ends followed by a space or the end of the text.
    first, last: the class of the first and the last character.
    """

    counts: Singles
    lengths: Singles
    words: Singles
    capitalised: Singles
    numbers: Singles
    sentences: Singles
    first: npt.NDArray[np.uint8]
    last: npt.NDArray[np.uint8]


def count(texts: Sequence[str]) -> Characters:
    """The counts of every text. Texts must not be empty."""
    read = classified(texts, _ALPHABET)
    classes = read.classes
    counts = read.by_class(len(CharacterClass))
    is_word = (classes >= CharacterClass.LOWER) & (classes <= CharacterClass.DIGIT)
    starts_word = is_word & (classes != CharacterClass.UNSPACED)
    starts_word[1:] &= ~is_word[:-1]
    # The very last character is a NUL.
    after = classes[1:]
    ends_sentence = classes == CharacterClass.SENTENCE_END
    ends_sentence[:-1] &= (after <= CharacterClass.SPACE) | (after >= CharacterClass.UNSPACED)
    unspaced = counts[:, CharacterClass.UNSPACED] / CHARACTERS_A_WORD

    def totals(flags: npt.NDArray[np.bool_]) -> Singles:
        return read.totals(flags).astype(np.float32)

    return Characters(
        counts=counts.astype(np.float32),
        lengths=read.lengths.astype(np.float32),
        words=totals(starts_word) + unspaced.astype(np.float32),
        capitalised=totals(starts_word & (classes == CharacterClass.UPPER)),
        numbers=totals(starts_word & (classes == CharacterClass.DIGIT)),
        sentences=totals(ends_sentence),
        first=classes[read.starts],
        last=classes[read.starts + read.lengths - 1],
    )

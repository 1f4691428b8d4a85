"""The features of every block of a page, as one matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from extraction.methods.boosted_blocks import containers, document, position, posting, repetition
from extraction.methods.boosted_blocks.ancestry import Ancestry
from extraction.methods.boosted_blocks.characters import CharacterClass

if TYPE_CHECKING:
    from extraction.methods.boosted_blocks.arrays import Rows
    from extraction.methods.boosted_blocks.batch import Batch, Columns

_KINDS = {"paragraph": 0, "heading": 1, "list-item": 2, "table-row": 3, "code": 4}


def columns(batch: Batch) -> Columns:
    """All features by name, with one value per block."""
    ancestry = Ancestry(batch)
    return {
        **_own_text(batch),
        **ancestry.columns(),
        **containers.columns(batch),
        **repetition.columns(batch),
        **position.columns(batch),
        **document.columns(batch, ancestry),
        **posting.columns(batch),
    }


def matrix(batch: Batch, names: tuple[str, ...]) -> Rows:
    """The named features: (blocks, names)."""
    by_name = columns(batch)
    result = np.empty((len(names), len(batch)), dtype=np.float32)
    for row, name in enumerate(names):
        result[row] = by_name[name]
    return np.ascontiguousarray(result.T)


def _own_text(batch: Batch) -> Columns:
    characters = batch.characters
    counts, lengths = characters.counts, np.maximum(characters.lengths, 1)
    words = np.maximum(characters.words, 1)
    letters = counts[:, CharacterClass.LOWER : CharacterClass.UNSPACED + 1].sum(axis=1)
    return {
        "characters": characters.lengths,
        "words": characters.words,
        "word-length": letters / words,
        "link-density": batch.link_density,
        "kind": np.array([_KINDS[kind] for kind in batch.kinds]),
        "sentences": characters.sentences,
        "words-a-sentence": characters.words / (characters.sentences + 1),
        "commas": counts[:, CharacterClass.COMMA],
        "commas-a-word": counts[:, CharacterClass.COMMA] / words,
        "colons": counts[:, CharacterClass.COLON],
        "quotes": counts[:, CharacterClass.QUOTE],
        "currency-signs": counts[:, CharacterClass.CURRENCY],
        "separators": counts[:, CharacterClass.SEPARATOR],
        "digits": counts[:, CharacterClass.DIGIT] / lengths,
        "upper-case": counts[:, CharacterClass.UPPER] / np.maximum(letters, 1),
        "capitalised": characters.capitalised / words,
        "numbers": characters.numbers / words,
        "lines": counts[:, CharacterClass.NEWLINE],
        "first-character": characters.first,
        "last-character": characters.last,
    }

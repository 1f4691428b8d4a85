"""A linear model over hashed words: those in the names of ancestors, and those of the text.

There are too many words for trees, and most are rare. So their weights are learned first, by
logistic regression, and the trees get a few sums of weights as features.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from extraction.methods.elements.ancestry import Ancestry, bucket

if TYPE_CHECKING:
    from corpus_commons.markup.tree import IntArray

Floats = npt.NDArray[np.float64]

# Only the beginning and the end of a text indicate its role; the words between tell its topic.
_EDGE_CHARACTERS: Final = 160
_TEXT_WORD = re.compile(r"[^\W\d_]{2,20}|[©|»›→]|\d+")
WORD_SCORES: Final = ("path", "path-low", "path-high", "own", "parent", "words")


@dataclass(frozen=True, eq=False)
class WordWeights:
    """Weights (log odds of main content), one entry per bucket.

    path: for words in the names of the element and all its ancestors.
    own: for words in the element's own names, in addition to ``path``.
    text: for words of its text.
    """

    path: npt.NDArray[np.float32]
    own: npt.NDArray[np.float32]
    text: npt.NDArray[np.float32]

    def scores(self, ancestry: Ancestry, nodes: IntArray, words: TextWords) -> Floats:
        """One row per element, one column for each of WORD_SCORES."""
        by_node = ancestry.sums(self.path)
        return np.column_stack(
            (
                ancestry.handed_down(by_node, np.add)[nodes],
                ancestry.handed_down(by_node, np.minimum)[nodes],
                ancestry.handed_down(by_node, np.maximum)[nodes],
                ancestry.sums(self.own)[nodes],
                by_node[np.maximum(ancestry.parents[nodes], 0)],
                np.bincount(words.owners, self.text[words.buckets] * words.values, len(nodes)),
            )
        )


@dataclass(frozen=True, eq=False)
class TextWords:
    """The distinct words at both ends of every text; all numbers count as the same word.

    buckets, owners, values: for every word its bucket, the text it is in, and 1 / √n, where n is
        the number of that text's words, so that the score does not grow with the text's length.
    """

    buckets: IntArray
    owners: IntArray
    values: Floats

    @classmethod
    def of(cls, texts: list[str]) -> TextWords:
        rows = [_text_buckets(text) for text in texts]
        counts = np.array([len(row) for row in rows], dtype=np.int64)
        return cls(
            np.fromiter((entry for row in rows for entry in row), np.int32, int(counts.sum())),
            np.repeat(np.arange(len(texts), dtype=np.int32), counts),
            np.repeat(1.0 / np.sqrt(np.maximum(counts, 1)), counts),
        )


def _text_buckets(text: str) -> set[int]:
    if len(text) > 2 * _EDGE_CHARACTERS:
        text = f"{text[:_EDGE_CHARACTERS]} {text[-_EDGE_CHARACTERS:]}"
    return {
        bucket("0" if word.isdigit() else word) for word in set(_TEXT_WORD.findall(text.lower()))
    }

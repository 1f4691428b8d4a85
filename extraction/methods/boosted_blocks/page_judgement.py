"""Estimates the page type and the confidence from the features and probabilities of the blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from corpus_commons.kinds import GENRE_OF_TYPE
from extraction.methods.boosted_blocks.decoding import decide

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corpus_commons.boosting.booster import Booster
    from corpus_commons.markup.characters import Integers
    from extraction.methods.boosted_blocks.arrays import Floats, Rows, Singles

ARTICLE: Final = "article"
_DOCUMENTATION: Final = "documentation"
# Documentation is rarely taken for certain: manuals have 0.4 in the median, and 1 % of news pages
# have as much as this.
_SOME: Final = 0.1
# The least weight of a block; one without words counts, too.
_LEAST_WORDS: Final = 0.5


def mean_block(rows: Rows, words: Singles, shares: Floats | float = 1.0) -> Singles:
    """The mean of every feature over the blocks, weighted by the square root of their words.

    rows: (blocks, features), at least one. words: per block.
    shares: a factor for the weight of each block.
    """
    # In the precision of the rows, which would be copied otherwise.
    weights = (np.sqrt(np.maximum(words, _LEAST_WORDS)) * shares).astype(np.float32)
    mean: Singles = weights @ rows / weights.sum()
    return mean


def summary(rows: Rows, probabilities: Floats, words: Singles, copies: Integers) -> Singles:
    """The features of a page: the mean of every block feature, over all and over the likely blocks.

    rows: (blocks, features), at least one. words, copies: as for ``decide``.
    """
    kept, expected_f1 = decide(probabilities, words, copies)
    means = (mean_block(rows, words), mean_block(rows, words, probabilities))
    words = np.maximum(words, _LEAST_WORDS)
    expected_words = float(words @ probabilities)
    of_page = (
        expected_words,
        expected_words / words.sum(),
        float(words @ (probabilities * (1 - probabilities))) / words.sum(),
        probabilities.max(),
        expected_f1,
        words[kept].sum(),
        words[kept].max(initial=0.0),
        kept.sum(),
    )
    return np.concatenate([*means, of_page]).astype(np.float32)


@dataclass(frozen=True, eq=False)
class PageJudge:
    """Predicts the page type and the F1 of pages from their summaries, (pages, features).

    page_types: the names of the classes of ``type_trees``; empty if there are no such trees.
    type_trees: predict a probability for every type; None if the training data had no types.
    f1_trees: predict the F1 of the extracted text.
    """

    page_types: tuple[str, ...]
    type_trees: Booster | None
    f1_trees: Booster

    def type_scores(self, pages: Rows) -> list[dict[str, float]]:
        """For every page, a probability of each type; empty if trained without types."""
        if self.type_trees is None:
            return [{} for _ in pages]
        scores = self.type_trees.predict(pages).tolist()
        return [dict(zip(self.page_types, own, strict=True)) for own in scores]

    def confidence(self, pages: Rows) -> list[float]:
        """For every page, the expected F1, in [0, 1]."""
        found: list[float] = self.f1_trees.predict(pages).tolist()
        return found


def genre_scores(type_scores: Mapping[str, float]) -> dict[str, float]:
    """Probabilities of the paper's two genres, from the page types that belong to one of them.

    >>> genre_scores({"article": 0.25, "listing": 0.25, "product": 0.5})
    {'article': 0.5, 'list-view': 0.5}
    """
    sums = dict.fromkeys(GENRE_OF_TYPE.values(), 0.0)
    for name, genre in GENRE_OF_TYPE.items():
        sums[genre] += type_scores.get(name, 0.0)
    total = sum(sums.values())
    return {genre: score / total for genre, score in sums.items()} if total else {}


class Likeness(NamedTuple):
    """What a page may be.

    document: it is one text, an article or documentation. documentation: it may well be the latter.
    """

    document: bool
    documentation: bool


def likeness(type_scores: Mapping[str, float], genre: str | None = None) -> Likeness:
    """By the probabilities of page types, and by the kind of page if it is known.

    Articles are documentation, too, where the genre is one of the paper's two.

    >>> likeness({"article": 0.3, "documentation": 0.3})
    Likeness(document=True, documentation=True)
    >>> likeness({"documentation": 0.3}, "forum")
    Likeness(document=False, documentation=False)
    """
    documentation = type_scores.get(_DOCUMENTATION, 0.0)
    if genre is None:
        document = documentation + type_scores.get(ARTICLE, 0.0) >= 0.5
        return Likeness(document, documentation >= _SOME)
    if genre == ARTICLE:
        return Likeness(document=True, documentation=documentation >= _SOME)
    return Likeness(*[genre == _DOCUMENTATION] * 2)

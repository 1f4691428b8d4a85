"""Boosted trees that score every block; whether the page is an article is one of their features.

There are several models, trained alike but with other random numbers: what chance adds to one of
them is less in their mean. Most blocks are so clear to the first that the others are not asked.

Trees that know that a page is an article find its end better. In training, the feature is set for
half of the pages and missing for the others. If the caller does not know the genre, the trees for
articles predict it, and their answer is used if it is certain enough.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, Self

import numpy as np

from corpus_commons.boosting.booster import Booster
from extraction.methods.boosted_blocks.page_judgement import ARTICLE, mean_block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpus_commons.markup.characters import Integers
    from extraction.methods.boosted_blocks.arrays import Floats, Rows, Singles

# A page is taken for an article if its predicted probability is higher than the first, and for none
# if it is lower than the second.
_SURE: Final = 0.7
_SURELY_NOT: Final = 0.05
# Log odds beyond which no more trees are evaluated (see Booster); saves half of the trees for most
# blocks, which are clearly boilerplate.
_MARGIN: Final = 4.0
# The first model's answer is taken, whichever it is, if its probability is at least this.
_CERTAIN: Final = 0.88


class BlockTrees(NamedTuple):
    """blocks: models that each predict the probability that a block is main content; at least one.

    articles: predict the probability that a page is an article, from the mean of its blocks; None
        if the training data had no page types.
    """

    blocks: Sequence[Booster]
    articles: Booster | None

    @classmethod
    def of(cls, blocks: Sequence[str], articles: str | None) -> Self:
        """Load trees in LightGBM's text format."""
        return cls(
            [Booster(model, margin=_MARGIN) for model in blocks],
            None if articles is None else Booster(articles),
        )

    def probabilities(
        self,
        rows: Rows,
        scores: Rows,
        words: Singles,
        starts: Integers,
        genres: Sequence[str | None],
    ) -> Floats:
        """For every block of some pages, the probability that it is main content.

        rows: (blocks, features). scores: the lexicon's, (blocks, 2). words: per block.
        starts: the first block of every page. genres: the kind of every page; None if unknown.
        """
        cuts = [*starts.tolist(), len(rows)]
        known = [
            self._likely(rows[start:end], words[start:end]) if genre is None else _number(genre)
            for (start, end), genre in zip(pairwise(cuts), genres, strict=True)
        ]
        of_blocks = np.repeat(np.array(known, dtype=np.float32), np.diff(cuts))
        return self.predict(np.column_stack([rows, scores, of_blocks]))

    def predict(self, rows: Rows) -> Floats:
        """As ``probabilities``, of rows with all columns, see ``told``."""
        first, *others = self.blocks
        found = first.predict(rows)
        unsure = np.flatnonzero(np.abs(found - 0.5) < _CERTAIN - 0.5)
        if len(unsure):
            asked = rows[unsure]
            found[unsure] = np.mean(
                [found[unsure], *(model.predict(asked) for model in others)], axis=0
            )
        return found

    def _likely(self, rows: Rows, words: Singles) -> float:
        """1 for an article, 0 for another page, NaN if neither is certain."""
        if self.articles is None:
            return np.nan
        share = self.articles.predict(mean_block(rows, words)[None])[0]
        return 1.0 if share > _SURE else 0.0 if share < _SURELY_NOT else np.nan


def told(rows: Rows, scores: Rows, genre: str | None) -> Rows:
    """The input of the block trees for a page: the features, the lexicon's scores, and the genre.

    The genre is 1 for an article, 0 for other pages and NaN if unknown.
    """
    return np.column_stack([rows, scores, np.full(len(rows), _number(genre), dtype=np.float32)])


def _number(genre: str | None) -> float:
    return np.nan if genre is None else float(genre == ARTICLE)

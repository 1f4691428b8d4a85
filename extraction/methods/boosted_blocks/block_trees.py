"""Boosted trees that score every block; whether the page is an article is one of their features.

Trees that know that a page is an article find its end better. In training, the feature is set for
half of the pages and missing for the others. If the caller does not know the genre, the trees for
articles predict it, and their answer is used if it is certain enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from corpus_commons.boosting.booster import Booster
from extraction.methods.boosted_blocks.page_judgement import ARTICLE, mean_block

if TYPE_CHECKING:
    from extraction.methods.boosted_blocks.characters import Floats as Words
    from extraction.methods.boosted_blocks.decoding import Floats

Rows = npt.NDArray[np.float32]

# A page is taken for an article if its predicted probability is higher than this.
_SURE: Final = 0.7
# Log odds beyond which no more trees are evaluated (see Booster); saves half of the trees for most
# blocks, which are clearly boilerplate.
_MARGIN: Final = 4.0


class BlockTrees(NamedTuple):
    """blocks: predict the probability that a block is main content.

    articles: predict the probability that a page is an article, from the mean of its blocks; None
        if the training data had no page types.
    """

    blocks: Booster
    articles: Booster | None

    @classmethod
    def of(cls, blocks: str, articles: str | None) -> Self:
        """Load trees in LightGBM's text format."""
        return cls(Booster(blocks, margin=_MARGIN), None if articles is None else Booster(articles))

    def probabilities(
        self, rows: Rows, scores: Rows, words: Words, genre: str | None = None
    ) -> Floats:
        """For every block, the probability that it is main content.

        rows: (blocks, features). scores: the lexicon's, (blocks, 2). words: per block.
        genre: the kind of page; None if unknown.
        """
        if genre is None and self._looks_like_article(rows, words):
            genre = ARTICLE
        return self.blocks.predict(told(rows, scores, genre))

    def _looks_like_article(self, rows: Rows, words: Words) -> bool:
        if self.articles is None:
            return False
        return bool(self.articles.predict(mean_block(rows, words)[None])[0] > _SURE)


def told(rows: Rows, scores: Rows, genre: str | None) -> Rows:
    """The input of the block trees: the features, the lexicon's scores, and the genre.

    The genre is 1 for an article, 0 for other pages and NaN if unknown.
    """
    known = np.nan if genre is None else float(genre == ARTICLE)
    return np.column_stack([rows, scores, np.full(len(rows), known, dtype=np.float32)])

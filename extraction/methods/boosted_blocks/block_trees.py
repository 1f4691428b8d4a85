"""Trees over the blocks of a page, which are told first whether the page is an article.

Block trees that know they read an article find its end better: they were told of half of the pages
that they learned from. Where nobody says so, a first look at the page may be sure enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from boosting.booster import Booster
from extraction.methods.boosted_blocks.page_judgement import ARTICLE, mean_block

if TYPE_CHECKING:
    from extraction.methods.boosted_blocks.characters import Floats as Words
    from extraction.methods.boosted_blocks.decoding import Floats

Rows = npt.NDArray[np.float32]

# The probability of an article at which the trees are told that it is one.
_SURE: Final = 0.7
# Most blocks are far from content, and half of the trees say so.
_MARGIN: Final = 4.0


class BlockTrees(NamedTuple):
    """blocks: the probability that a block is main content.

    articles: the probability that a page is an article, from its mean block; None where no page
        types were learned.
    """

    blocks: Booster
    articles: Booster | None

    @classmethod
    def of(cls, blocks: str, articles: str | None) -> Self:
        """From trees in LightGBM's text format."""
        return cls(Booster(blocks, margin=_MARGIN), None if articles is None else Booster(articles))

    def probabilities(
        self, rows: Rows, scores: Rows, words: Words, genre: str | None = None
    ) -> Floats:
        """For every block, that it is main content.

        rows: (blocks, features). scores: of the lexicon, (blocks, 2). words: of every block.
        genre: of the page, where it is known.
        """
        if genre is None and self._looks_like_article(rows, words):
            genre = ARTICLE
        return self.blocks.predict(told(rows, scores, genre))

    def _looks_like_article(self, rows: Rows, words: Words) -> bool:
        if self.articles is None:
            return False
        return bool(self.articles.predict(mean_block(rows, words)[None])[0] > _SURE)


def told(rows: Rows, scores: Rows, genre: str | None) -> Rows:
    """What the block trees are told: the features, the lexicon's scores, and the genre.

    The genre is whether the page is known to be an article; NaN where it is not known.
    """
    known = np.nan if genre is None else float(genre == ARTICLE)
    return np.column_stack([rows, scores, np.full(len(rows), known, dtype=np.float32)])

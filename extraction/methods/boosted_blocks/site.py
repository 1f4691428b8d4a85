"""Corrects the probabilities of a page's blocks by what is known of the other pages of its site.

The trees judge a page by itself, and make the same mistake on all pages of a template. What other
pages say about a block's text and place, and about the parts of the page around it, therefore
corrects their log odds in a linear model: few weights, because few sites with several labelled
pages are there to learn from, and what the trees learned from all others must stay.

Products, collections and listings hold the same things on many pages. The more likely a page is one
of them, the less is corrected.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from extraction.methods.boosted_blocks.log_odds import log_odds, probabilities_of
from extraction.methods.boosted_blocks.page_judgement import ARTICLE
from extraction.methods.boosted_blocks.weights import root_weights_of
from extraction.page_marks import Blocks, PageMarks, key_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corpus_commons.markup.characters import Integers
    from extraction.methods.boosted_blocks.arrays import Floats
    from extraction.methods.boosted_blocks.view import PageView
    from extraction.site_index import Known
    from extraction.site_memory import SiteMemory

# The parts of a page around a block: the ancestors of its container, up to this many.
_PARTS: Final = 4
_DIGITS: Final = bytes.maketrans(b"123456789", b"0" * 9)
# Types of pages that have texts in common which are their content.
_SHARING: Final = ("product", "collection", "listing")
# The weights of the evidence before training: an article does not repeat texts of other articles,
# least of all of many. Labelled sites have hardly any that do, but for short labels, such as "Pros"
# and "Cons".
PRIOR: Final = (-3.0, -1.0, *[0.0] * 9)


class Surroundings(NamedTuple):
    """The parts of a page around its blocks: for every level and block the blocks of the part.

    begins, ends: (_PARTS, blocks); from the first block to the one after the last.
    """

    begins: Integers
    ends: Integers


NO_BLOCKS: Final = Blocks(
    np.empty(0, dtype=np.uint32), np.empty(0, dtype=np.uint32), np.empty(0, dtype=np.float32)
)
NO_SURROUNDINGS: Final = Surroundings(*(np.empty((_PARTS, 0), dtype=np.int64) for _ in range(2)))


class PageOnSite(NamedTuple):
    """A page, and the memory of its site."""

    memory: SiteMemory
    key: int
    blocks: Blocks
    around: Surroundings

    def marks(self) -> PageMarks:
        return PageMarks.of(self.key, self.blocks)

    def known(self, probabilities: Floats) -> Known:
        return self.memory.known(self.key, self.blocks, probabilities)

    def corrected(
        self,
        probabilities: Floats,
        known: Known,
        type_scores: Mapping[str, float],
        weights: Sequence[float],
    ) -> Floats:
        """The probabilities of the blocks, given the other pages of the site.

        type_scores: a probability for every page type. weights: of the ``evidence``.
        """
        if not known.pages:
            return probabilities
        columns = evidence(self, probabilities, known, type_scores)
        return probabilities_of(log_odds(probabilities) + columns @ weights)


def of_site(memory: SiteMemory | None, view: PageView, url: str | None) -> PageOnSite | None:
    """The page with the memory of its site, if there is one."""
    if memory is None:
        return None
    return PageOnSite(memory, key_of(url, view.texts), blocks_of(view), surroundings(view))


def marks_of(view: PageView, url: str | None) -> PageMarks:
    """What a memory keeps of the page."""
    return PageMarks.of(key_of(url, view.texts), blocks_of(view))


def evidence(
    page: PageOnSite, probabilities: Floats, known: Known, type_scores: Mapping[str, float]
) -> Floats:
    """What the linear model adds to the log odds, up to its weights: (blocks, columns)."""
    is_repeated = known.text > 0
    weights = root_weights_of(page.blocks.words.astype(np.float64))
    rest = 1 - sum(type_scores.get(name, 0.0) for name in _SHARING)
    how_often = np.log1p(known.text * known.pages)
    columns = [
        is_repeated,
        how_often,
        known.repeated,
        *_shares_around(page.around, is_repeated, weights),
        np.ones(len(weights)),
        log_odds(probabilities),
    ]
    article = type_scores.get(ARTICLE, 0.0)
    of_articles = (is_repeated * article, how_often * article)
    return np.column_stack([*of_articles, *(column * rest for column in columns)])


def _shares_around(
    around: Surroundings, is_repeated: npt.NDArray[np.bool_], weights: Floats
) -> Floats:
    """For every level and block, the share by weight of the blocks around it that are repeated."""
    repeated, every = (
        np.concatenate([[0.0], np.cumsum(values)]) for values in (weights * is_repeated, weights)
    )
    shares: Floats = (repeated[around.ends] - repeated[around.begins]) / (
        every[around.ends] - every[around.begins]
    )
    return shares


def surroundings(view: PageView) -> Surroundings:
    dom, firsts = view.dom, view.segmentation.firsts
    nodes, begins, ends = view.containers, [], []
    for _ in range(_PARTS):
        nodes = np.maximum(dom.parents[nodes], 0)
        begins.append(np.searchsorted(firsts, nodes))
        ends.append(np.searchsorted(firsts, dom.ends[nodes]))
    return Surroundings(np.array(begins), np.array(ends))


def blocks_of(view: PageView) -> Blocks:
    """The hashes of the texts and the places of a page's blocks."""
    texts = [zlib.crc32(_normalised(text)) for text in view.texts]
    return Blocks(np.array(texts, dtype=np.uint32), view.places, view.words)


def _normalised(text: str) -> bytes:
    """The text without differences in case, white space and numbers."""
    return " ".join(text.lower().split()).encode("utf-8", "surrogatepass").translate(_DIGITS)

"""Corrects the probabilities of a page's blocks by what is known of the other pages of its site.

The trees judge a page by itself. What stands in one place of a site's pages is mostly of one kind,
so the log odds of a block are drawn to the mean of those in its place on the others, as the blocks
of a page agree with each other (``agreement``); it takes away what is chance.

What is wrong on all pages of a template stays. That texts repeat is therefore evidence, too, in a
linear model of few weights, because few sites with several labelled pages are there to learn from.
A text that many pages have is the template's, and so is one that stands where texts repeat; where
other pages have other texts, it may be of one story told twice. Products, collections and listings
hold the same things on many pages: the more likely a page is one of them, the less repeated texts
count.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final, NamedTuple, Self

import numpy as np

from extraction.methods.boosted_blocks.log_odds import log_odds, probabilities_of
from extraction.methods.boosted_blocks.page_judgement import ARTICLE
from extraction.page_marks import Blocks, PageMarks, key_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from extraction.methods.boosted_blocks.arrays import Floats
    from extraction.methods.boosted_blocks.view import PageView
    from extraction.site_index import Known
    from extraction.site_memory import SiteMemory

_DIGITS: Final = bytes.maketrans(b"123456789", b"0" * 9)
# How far a block is drawn to the mean of very many in its place; to that of one, half as far.
_SHARE: Final = 0.8
# That all of a few pages have a text says less than that all of many do: as if so many had not.
_DOUBT: Final = 2
# Types of pages that have texts in common which are their content.
_SHARING: Final = ("product", "collection", "listing")
# The weights of the evidence before training: pages do not repeat texts of other pages, least of
# all articles those of many. Labelled sites have hardly any that do, but for short labels, such as
# "Pros" and "Cons".
PRIOR: Final = (-4.0, -1.5)


class PageOnSite(NamedTuple):
    """What the memory of its site is asked about a page, and told of it."""

    key: int
    blocks: Blocks

    @classmethod
    def of(cls, view: PageView, url: str | None) -> Self:
        return cls(key_of(url, view.texts), blocks_of(view))

    def marks(self, probabilities: Floats) -> PageMarks:
        """What a memory keeps of the page. probabilities: by the trees alone."""
        return PageMarks.of(self.key, self.blocks, log_odds(probabilities))

    def known(self, memory: SiteMemory, probabilities: Floats) -> Known:
        return memory.known(self.key, self.blocks, probabilities)


def corrected(
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
    added = evidence(known, type_scores) @ weights
    return probabilities_of(drawn(log_odds(probabilities), known) + added)


def drawn(odds: Floats, known: Known) -> Floats:
    """The log odds of the blocks, drawn to those of blocks in their place on other pages."""
    share = _SHARE * known.in_place / (known.in_place + 1)
    return odds + share * (known.odds - odds)


def evidence(known: Known, type_scores: Mapping[str, float]) -> Floats:
    """What the linear model adds to the log odds, up to its weights: (blocks, columns)."""
    unshared = 1 - sum(type_scores.get(name, 0.0) for name in _SHARING)
    count = known.text * known.pages
    is_of_template = np.maximum(known.repeated, count / (known.pages + _DOUBT)) * (count > 0)
    how_often = np.log1p(count) * type_scores.get(ARTICLE, 0.0)
    return np.column_stack([is_of_template * unshared, how_often])


def blocks_of(view: PageView) -> Blocks:
    """The hashes of the texts and the places of a page's blocks."""
    texts = [zlib.crc32(_normalised(text)) for text in view.texts]
    return Blocks(np.array(texts, dtype=np.uint32), view.places, view.words)


def _normalised(text: str) -> bytes:
    """The text without differences in case, white space and numbers."""
    return " ".join(text.lower().split()).encode("utf-8", "surrogatepass").translate(_DIGITS)

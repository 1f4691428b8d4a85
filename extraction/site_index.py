"""Looks up the blocks of a page among the marks of other pages of its site."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from extraction.page_marks import Blocks, Floats, Hashes, PageMarks

# Against division by zero.
_SOME: Final = 1e-9
# A text on this many pages is repeated.
_SEVERAL: Final = 2


class Known(NamedTuple):
    """What a memory knows of the blocks of a page; all but ``pages`` have one entry per block.

    pages: how many other pages were looked at.
    text: the share of them that have this text.
    repeated: of all texts in this place, on this page and the others, the share that stands on more
        than one page.
    in_place: how many blocks the other pages have in this place.
    odds: the mean of their log odds, each judged by its page alone; 0 if there are none.
    """

    pages: int
    text: Floats
    repeated: Floats
    in_place: Floats
    odds: Floats


class SiteIndex:
    """The marks of some pages, sorted for looking up many blocks at once."""

    def __init__(self, pages: Sequence[PageMarks]) -> None:
        self.pages = list(pages)
        counts = [len(page.texts) for page in self.pages]
        page_of = np.repeat(np.arange(len(self.pages)), counts)
        texts, places = (
            np.concatenate([np.empty(0, np.uint32), *(getattr(page, name) for page in self.pages)])
            for name in ("texts", "places")
        )
        self._all_odds = np.concatenate([np.empty(0), *(page.odds for page in self.pages)])
        self._ceilings = np.sort([page.ceiling for page in self.pages])
        self._texts, self._places = _Pages(texts, page_of), _Pages(places, page_of)
        self._all_texts, self._all_places = texts, places

    def shared(self, blocks: Blocks, weights: Floats) -> Floats:
        """For every page, the share by weight of the blocks whose texts it has."""
        # Of long pages only the texts up to the ceiling are known.
        found, pages = self._texts.pairs(blocks.texts)
        common = np.bincount(pages, weights[found], len(self.pages))
        order = np.argsort(blocks.texts)
        sums = np.concatenate([[0.0], np.cumsum(weights[order])])
        ceilings = np.array([page.ceiling for page in self.pages], dtype=np.uint32)
        whole = sums[np.searchsorted(blocks.texts[order], ceilings, side="right")]
        shares: Floats = common / np.maximum(whole, _SOME)
        return shares

    def related(self, blocks: Blocks) -> Floats:
        """For every page, the share of the blocks whose places it has."""
        pages = self._places.pairs(blocks.places)[1]
        counts = np.bincount(pages, minlength=len(self.pages)).astype(np.float64)
        return counts / len(blocks.places)

    def known(self, blocks: Blocks) -> Known:
        # The pages that would have kept the text if they have it.
        able = len(self.pages) - np.searchsorted(self._ceilings, blocks.texts)
        counts = self._texts.counts(blocks.texts)
        is_repeated = self._texts.counts(self._all_texts) + np.isin(self._all_texts, blocks.texts)
        places = np.concatenate([blocks.places, self._all_places])
        values, place_of = np.unique(places, return_inverse=True)
        own, others = np.split(place_of, [len(blocks.places)])
        in_place = np.bincount(others, minlength=len(values)).astype(np.float64)
        odds = np.bincount(others, self._all_odds, len(values)) / np.maximum(in_place, 1)
        repeated = np.bincount(
            place_of, np.concatenate([counts > 0, is_repeated >= _SEVERAL]), len(values)
        ) / np.bincount(place_of)
        return Known(
            pages=len(self.pages),
            text=np.minimum(counts / np.maximum(able, 1), 1),
            repeated=repeated[own],
            in_place=in_place[own],
            odds=odds[own],
        )


class _Pages:
    """In which pages each of some hashes stands."""

    def __init__(self, hashes: Hashes, page_of: npt.NDArray[np.intp]) -> None:
        order = np.lexsort((page_of, hashes))
        hashes, page_of = hashes[order], page_of[order]
        is_first = np.ones(len(hashes), dtype=np.bool_)
        is_first[1:] = (hashes[1:] != hashes[:-1]) | (page_of[1:] != page_of[:-1])
        self._hashes, self._page_of = hashes[is_first], page_of[is_first]

    def counts(self, hashes: Hashes) -> npt.NDArray[np.intp]:
        """For every hash, the number of pages that have it."""
        begin, end = self._ranges(hashes)
        return end - begin

    def pairs(self, hashes: Hashes) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """All pairs of a hash, by its index, and a page that has it."""
        begin, end = self._ranges(hashes)
        counts = end - begin
        skipped = begin - (np.cumsum(counts) - counts)
        found = np.repeat(np.arange(len(hashes)), counts)
        return found, self._page_of[np.repeat(skipped, counts) + np.arange(counts.sum())]

    def _ranges(self, hashes: Hashes) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        return (
            np.searchsorted(self._hashes, hashes),
            np.searchsorted(self._hashes, hashes, side="right"),
        )

"""Things of several pages in one array, such as their headings, and statistics for every page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.characters import Integers
from corpus_commons.markup.forest import Forest
from corpus_commons.markup.tree import IntArray
from genre_model.html.characters import Floats

Numbers = npt.NDArray[np.bool_ | np.integer | np.floating]


class Segments:
    """The things of one page after those of another; a page may have none.

    page_of: the page of every thing, ascending. counts: for every page, the number of its things.
    starts, ends: for every page, the index of its first thing, and one past its last.
    In the methods, ``values`` has an entry per thing; what they return has an entry per page.
    """

    def __init__(self, page_of: npt.NDArray[np.integer], pages: int) -> None:
        self.page_of = page_of
        self.counts: Integers = np.bincount(page_of, minlength=pages)
        self.ends: Integers = np.cumsum(self.counts)
        self.starts: Integers = self.ends - self.counts

    def __len__(self) -> int:
        return len(self.page_of)

    def sums(self, values: Numbers) -> Floats:
        return totals(self.page_of, values, len(self.counts))

    def means(self, values: Numbers) -> Floats:
        """The mean; 0 for a page without things."""
        return self.sums(values) / np.maximum(self.counts, 1)

    def deviations(self, values: Numbers) -> Floats:
        """The standard deviation; 0 for a page without things."""
        return np.sqrt(self.means((values - self.means(values)[self.page_of]) ** 2))

    def largest(self, values: Numbers) -> Floats:
        """The largest value; 0 for a page without things, and if all are negative."""
        found = np.zeros(len(self.counts))
        np.maximum.at(found, self.page_of, values)
        return found

    def ranked(self, values: Numbers, ranks: int) -> Floats:
        """(ranks, pages): the largest values, in descending order; 0 where there are no more."""
        places = self.ends - 1 - np.arange(ranks)[:, None]
        return at(self._ordered(values), np.where(places >= self.starts, places, -1))

    def quantiles(self, values: Numbers, shares: Sequence[float]) -> Floats:
        """(shares, pages): the quantiles, interpolated; 0 for a page without things."""
        places = np.array(shares)[:, None] * np.maximum(self.counts - 1, 0)
        below = places.astype(np.int64)
        ordered = self._ordered(values)
        low, high = (
            at(ordered, np.where(self.counts > 0, np.minimum(self.starts + up, self.ends - 1), -1))
            for up in (below, below + 1)
        )
        return low + (high - low) * (places - below)

    def first(self, chosen: Integers | None = None) -> Integers:
        """The first of the things, or of the chosen ones, whose indices ascend; -1 if none."""
        return self.last((np.arange(len(self)) if chosen is None else chosen)[::-1])

    def last(self, chosen: Integers) -> Integers:
        """The last of the chosen things, whose indices ascend; -1 if none."""
        found = np.full(len(self.counts), -1)
        # Of several assignments to an entry, the last one counts.
        found[self.page_of[chosen]] = chosen
        return found

    def first_largest(self, values: Numbers) -> Integers:
        """The first thing with the largest value, if that is more than 0; otherwise -1."""
        is_largest = (values > 0) & (values == self.largest(values)[self.page_of])
        return self.first(np.flatnonzero(is_largest))

    def _ordered(self, values: Numbers) -> Numbers:
        """The values in ascending order, page by page."""
        return values[np.lexsort((values, self.page_of))]


class Nodes(Segments):
    """Nodes of a forest, ascending.

    index: their indices in the forest.
    """

    def __init__(self, tree: Forest, index: Integers | IntArray) -> None:
        super().__init__(tree.page_of[index], len(tree.pages))
        self.index = index
        self._tree_ends = tree.ends

    def inside(self, around: Integers | IntArray) -> tuple[Integers, Integers]:
        """For every node in ``around``, the places of those in its subtree: the first, and one past
        the last.
        """
        index = self.index
        return index.searchsorted(around), index.searchsorted(self._tree_ends[around])

    def count_inside(self, around: Integers | IntArray) -> Integers:
        """For every node in ``around``, the number of these nodes in its subtree."""
        first, last = self.inside(around)
        return last - first


def totals(group_of: npt.NDArray[np.integer], values: Numbers, groups: int) -> Floats:
    """For every group, the sum of the values of its members."""
    return np.bincount(group_of, values, groups).astype(np.float64, copy=False)


def at(values: Numbers, places: Integers, default: float = 0.0) -> Floats:
    """The values at these indices, and ``default`` for the index -1."""
    padded = np.full(len(values) + 1, default, dtype=np.float64)
    padded[:-1] = values
    return padded[places]


def between(values: Numbers, first: Integers, last: Integers) -> Floats:
    """The sums of the values from each ``first`` up to ``last``, which is not included."""
    before = np.zeros(len(values) + 1)
    values.cumsum(out=before[1:])
    sums: Floats = before[last] - before[first]
    return sums

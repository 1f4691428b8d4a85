"""Numbers as bins: the attributes of the CRF are symbols, not quantities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.measures import shares

Numbers = npt.NDArray[np.int64] | npt.NDArray[np.float64]
Bins = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Binning:
    """The bins of numeric features; the number of bins is a setting, as in the thesis.

    linear: bins of equal width for a share in [0, 1] (``scale``); the last one includes 1.
    logarithmic: bins for counts of a block (``find_closest``), each ``base`` times as wide as the
        one before, and wider by at least one; the last one has no upper bound.
    document: the same for counts of the whole page, which are larger, with ``document_base``.
    """

    linear: int = 6
    logarithmic: int = 8
    document: int = 10
    base: float = 1.6
    document_base: float = 2.0

    def share(self, part: Numbers, whole: Numbers | int) -> Bins:
        """The bin of ``part / whole``; 0 where ``whole`` is 0.

        >>> Binning(linear=4).share(np.array([0, 1, 2, 4]), 4).tolist()
        [0, 1, 2, 3]
        """
        bins: Bins = np.clip(shares(part, whole) * self.linear, 0, self.linear - 1).astype(np.int32)
        return bins

    def count(self, values: Numbers) -> Bins:
        """The bin of a count of a block.

        >>> Binning(logarithmic=6, base=2).count(np.array([0, 1, 2, 3, 4, 7, 8, 1000])).tolist()
        [0, 1, 2, 2, 3, 3, 4, 5]
        """
        return _above(values, _limits(self.logarithmic, self.base, 1))

    def page_count(self, values: Numbers) -> Bins:
        """The bin of a count of the whole page."""
        return _above(values, _limits(self.document, self.document_base, 8))


def _limits(bins: int, base: float, first: int) -> list[int]:
    """The lower bounds of all bins but the first."""
    limits = [first]
    while len(limits) < bins - 1:
        limits.append(max(limits[-1] + 1, round(limits[-1] * base)))
    return limits


def _above(values: Numbers, limits: list[int]) -> Bins:
    return np.searchsorted(limits, values, side="right").astype(np.int32)

"""How often a quantity had which size, in few numbers (as the histograms of Prometheus)."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import accumulate


@dataclass(slots=True)
class Histogram:
    """Counts of values by their size.

    bounds: the greatest value that each bucket counts, in ascending order; one more bucket follows.
    counts: of each bucket. sum: of all values.

    >>> seconds = Histogram((0.1, 1.0))
    >>> for value in (0.05, 0.1, 0.3, 7.0):
    ...     seconds.add(value)
    >>> seconds.counts, seconds.up_to()
    ([2, 1, 1], [2, 3, 4])
    """

    bounds: tuple[float, ...]
    counts: list[int] = field(default_factory=list)
    sum: float = 0.0

    def __post_init__(self) -> None:
        self.counts = self.counts or [0] * (len(self.bounds) + 1)

    def add(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value

    def up_to(self) -> list[int]:
        """How many values were at most each bound; last, how many there were."""
        return list(accumulate(self.counts))

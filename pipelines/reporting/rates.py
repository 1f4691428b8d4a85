"""Rates of counters over the last seconds."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

# In seconds.
_STRETCH: Final = 10.0


class Rates:
    """How fast some counters grow, averaged over the last seconds.

    >>> rates = Rates()
    >>> rates.sample(0.0, [0, 5]); rates.sample(2.0, [4, 5])
    >>> rates.per_second()
    [2.0, 0.0]
    """

    def __init__(self) -> None:
        self._samples: deque[tuple[float, Sequence[int]]] = deque()

    def sample(self, now: float, counts: Sequence[int]) -> None:
        """now: in seconds, by a clock that is never set."""
        self._samples.append((now, counts))
        while len(self._samples) > 2 and now - self._samples[1][0] >= _STRETCH:
            self._samples.popleft()

    def per_second(self) -> list[float]:
        """A rate for each counter, 0 before the second sample. Call it after the first one."""
        (begin, before), (end, after) = self._samples[0], self._samples[-1]
        if end <= begin:
            return [0.0] * len(after)
        return [(new - old) / (end - begin) for old, new in zip(before, after, strict=True)]

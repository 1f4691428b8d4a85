"""When a crawl will end, with its uncertainty, from how it went in the last minutes.

The rates of equal stretches of time (batch means) give a mean and its confidence interval by
Student's t distribution; that of the rate becomes that of the time that is left (A. M. Law:
Simulation Modeling and Analysis, section 9.5).
"""

from __future__ import annotations

import math
import statistics
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

SPACING: Final = 5.0
"""Seconds between two samples."""

_MOST: Final = 121
_BATCHES: Final = 10
# Two-sided 95 % quantiles of Student's t, by degrees of freedom.
_STUDENT: Final = {2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26}


class Sample(NamedTuple):
    """at: seconds. left: URLs that are queued, due or leased. pages: of the run, that are done."""

    at: float
    left: int
    pages: int


@dataclass(frozen=True, slots=True)
class End:
    """The end of a crawl. Times are seconds from now.

    seconds: until the end; None if it does not come nearer at the present pace.
    earliest, latest: it comes in between with 95 % certainty, if all goes on as it does; earliest
        is infinite if it never comes so, latest None if that may be.
    by: the limit of the job that ends it, as written there; empty if its URLs run out.
    """

    seconds: float | None
    earliest: float
    latest: float | None
    by: str = ""


class Course:
    """How the crawl went in the last ten minutes."""

    def __init__(self) -> None:
        self._samples: deque[Sample] = deque(maxlen=_MOST)

    def add(self, sample: Sample) -> None:
        """Too early ones are ignored, so that they are spaced by SPACING."""
        if self._samples and sample.pages < self._samples[-1].pages:
            # Another run has begun.
            self.forget()
        if not self._samples or sample.at >= self._samples[-1].at + SPACING * 0.9:
            self._samples.append(sample)

    def forget(self) -> None:
        """Begin anew, because the crawl was paused, or got URLs from elsewhere."""
        self._samples.clear()

    def end(
        self,
        now: Sample,
        *,
        most_pages: int | None = None,
        seconds_left: tuple[float, str] | None = None,
        longest_host: float = 0.0,
    ) -> End | None:
        """The estimate; None in the first seconds.

        most_pages: the job's limit. seconds_left: to its limit of time, as written there.
        longest_host: seconds that the URLs of one host take at least.
        """
        drained = self._rate([sample.left for sample in self._samples])
        fetched = self._rate([-sample.pages for sample in self._samples])
        if drained is None or fetched is None:
            return None
        ends = [_not_before(longest_host, _end(now.left, *drained))]
        if most_pages is not None:
            left = max(0, most_pages - now.pages)
            ends.append(_end(left, *fetched, by=f"limits.pages = {most_pages}"))
        if seconds_left is not None:
            seconds, by = seconds_left
            ends.append(End(seconds, seconds, seconds, by))
        return _first(ends)

    def _rate(self, counts: Sequence[int]) -> tuple[float, float] | None:
        """How much a count falls per second, and half of its confidence interval."""
        batches = min(_BATCHES, len(counts) - 1)
        if batches - 1 not in _STUDENT:
            return None
        places = [round(one * (len(counts) - 1) / batches) for one in range(batches + 1)]
        rates = [
            (counts[begin] - counts[end]) / (self._samples[end].at - self._samples[begin].at)
            for begin, end in pairwise(places)
        ]
        error = statistics.stdev(rates) / math.sqrt(batches)
        return statistics.fmean(rates), _STUDENT[batches - 1] * error


def _end(left: int, rate: float, error: float, by: str = "") -> End:
    """When ``left`` will be 0."""
    if not left:
        return End(0.0, 0.0, 0.0, by)
    fastest, slowest = rate + error, rate - error
    return End(
        left / rate if rate > 0 else None,
        left / fastest if fastest > 0 else math.inf,
        left / slowest if slowest > 0 else None,
        by,
    )


def _not_before(least: float, end: End) -> End:
    def later(seconds: float | None) -> float | None:
        return seconds and max(seconds, least)

    return End(later(end.seconds), max(end.earliest, least), later(end.latest), end.by)


def _first(ends: Iterable[End]) -> End:
    """What ends the crawl is what comes first."""
    some = list(ends)
    first = min(some, key=lambda end: math.inf if end.seconds is None else end.seconds)
    latest = [end.latest for end in some if end.latest is not None]
    earliest = min(end.earliest for end in some)
    return End(first.seconds, earliest, min(latest, default=None), first.by)

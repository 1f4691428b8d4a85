"""Sites with known change processes, in virtual time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.intp]

# Of the logarithms of the rates: the fastest tenth of the pages changes 47 times as often as the
# slowest tenth.
_SKEW: Final = 1.5
# A burst has so many changes, with so much of the time between two bursts from one to the next.
_BURST: Final = 10
_BURST_STEP: Final = 0.002
NEVER: Final = np.inf


@dataclass(frozen=True, slots=True)
class Changes:
    """How a group of pages changes.

    rates: of each page, per unit of time; of bursts, how often one begins.
    next_after: draws the next change after a time for some of the pages; a list is not asked.
    """

    kind: str
    rates: Floats
    next_after: Callable[[Places, float], Floats]


class Site:
    """Pages in groups, one after the other; their unit of time is the mean change interval.

    groups: how they change. next_change: of each page, the first change since its last visit.
    rates: of each page, see ``Changes``.
    lists: pages that list others, whose changes are new entries.
    """

    def __init__(self, groups: list[Changes], rng: np.random.Generator) -> None:
        self.groups = groups
        self._rng = rng
        self.rates = np.concatenate([group.rates for group in groups])
        ends = np.cumsum([len(group.rates) for group in groups])
        self._starts = np.concatenate([[0], ends[:-1]])
        self._group_of = np.repeat(np.arange(len(groups)), [len(group.rates) for group in groups])
        kinds = np.array([group.kind for group in groups])[self._group_of]
        self.lists = kinds == "feed"
        self.is_periodic = kinds == "periodic"
        self.next_change = np.zeros(len(self.rates))
        self.visit(np.arange(len(self.rates)), 0.0)

    def __len__(self) -> int:
        return len(self.rates)

    def visit(self, pages: Places, now: float) -> None:
        """Draw when the pages change next, after a visit."""
        for number, group in enumerate(self.groups):
            of_group = pages[self._group_of[pages] == number]
            if of_group.size:
                places = of_group - self._starts[number]
                self.next_change[of_group] = group.next_after(places, now)

    def entries(self, pages: Places, seconds: Floats) -> Floats:
        """How many entries some lists have got in so much time."""
        return self._rng.poisson(self.rates[pages] * seconds).astype(float)


def skewed(pages: int, rng: np.random.Generator, *, by_interval: bool) -> Floats:
    """Rates of a log-normal distribution, whose mean is 1, or that of their intervals."""
    rates = rng.lognormal(0.0, _SKEW, pages)
    return rates * np.mean(1 / rates) if by_interval else rates / np.mean(rates)


def poisson(rates: Floats, rng: np.random.Generator, kind: str = "poisson") -> Changes:
    return Changes(kind, rates, lambda pages, now: now + rng.exponential(1 / rates[pages]))


def periodic(rates: Floats, rng: np.random.Generator) -> Changes:
    """Changes like a clock, each page at its own time."""
    phase = rng.uniform(0, 1, len(rates))

    def next_after(pages: Places, now: float) -> Floats:
        turns = np.floor(now * rates[pages] - phase[pages]) + 1
        return (turns + phase[pages]) / rates[pages]

    return Changes("periodic", rates, next_after)


def bursts(rates: Floats, rng: np.random.Generator) -> Changes:
    """Many changes at once, then none for long."""
    begins, step = rng.exponential(1 / rates), _BURST_STEP / rates

    def next_after(pages: Places, now: float) -> Floats:
        while True:
            over = begins[pages] + _BURST * step[pages] <= now
            if not over.any():
                break
            late = pages[over]
            begins[late] += _BURST * step[late] + rng.exponential(1 / rates[late])
        done = np.maximum(np.floor((now - begins[pages]) / step[pages]) + 1, 0)
        return np.asarray(begins[pages] + done * step[pages])

    return Changes("bursts", rates, next_after)


def never(pages: int) -> Changes:
    return Changes("never", np.full(pages, 1e-9), lambda pages, _: np.full(len(pages), NEVER))


def site_of(name: str, pages: int, rng: np.random.Generator) -> Site:
    return Site(SITES[name](pages, rng), rng)


def _mixed(pages: int, rng: np.random.Generator) -> list[Changes]:
    most, fifth, tenth = pages // 2, pages // 5, pages // 10
    return [
        poisson(skewed(most, rng, by_interval=False), rng),
        periodic(rng.uniform(0.05, 0.5, fifth), rng),
        bursts(rng.uniform(0.02, 0.2, tenth), rng),
        never(pages - most - fifth - tenth),
    ]


def _with_feeds(pages: int, rng: np.random.Generator) -> list[Changes]:
    feeds = pages // 50
    return [
        poisson(skewed(pages - feeds, rng, by_interval=False), rng),
        poisson(skewed(feeds, rng, by_interval=False), rng, "feed"),
    ]


SITES: Final[Mapping[str, Callable[[int, np.random.Generator], list[Changes]]]] = {
    "skewed rates, mean rate 1": lambda pages, rng: [
        poisson(skewed(pages, rng, by_interval=False), rng)
    ],
    "skewed rates, mean interval 1": lambda pages, rng: [
        poisson(skewed(pages, rng, by_interval=True), rng)
    ],
    "mixed": _mixed,
    "with feeds": _with_feeds,
}
"""By name. A mixed one: half Poisson, a fifth periodic, a tenth in bursts, a fifth never changes.
With feeds: one page in 50 is a feed, with entries at skewed rates."""

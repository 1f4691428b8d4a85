"""The policies: when is a page visited again, after a visit found it changed or not?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, Protocol

import numpy as np

from benchmarks.recrawl.sites import Floats, Places, Site
from crawler.recrawl import visit_price
from crawler.recrawl.adaptive import Adaptive
from crawler.recrawl.change_rate import Found, Rate
from crawler.recrawl.host_counts import Bounds, HostCounts

# Nutch's AdaptiveFetchSchedule, as shipped: an interval grows by 0.4 if nothing has changed, and
# shrinks by 0.2 if something has.
_NUTCH_GROWTH: Final = 1.4
_NUTCH_SHRINKAGE: Final = 0.8
_HALVINGS: Final = 60
# So that a periodic page is visited after its change, not before.
_MOMENT: Final = 1e-6


class Policy(Protocol):
    def __call__(self, pages: Places, events: Floats, seconds: Floats, now: float) -> Floats:
        """The intervals after visits. seconds: since the visits before; 0 for the first."""


class Fixed:
    """All pages as often."""

    def __init__(self, site: Site, bounds: Bounds, rng: np.random.Generator) -> None:
        del site, rng
        self._interval = bounds.average

    def __call__(self, pages: Places, events: Floats, seconds: Floats, now: float) -> Floats:
        return np.full(len(pages), self._interval)


class Nutch:
    """The adaptive rule of Apache Nutch."""

    def __init__(self, site: Site, bounds: Bounds, rng: np.random.Generator) -> None:
        del rng
        self._bounds = bounds
        self._intervals = np.full(len(site), bounds.average)

    def __call__(self, pages: Places, events: Floats, seconds: Floats, now: float) -> Floats:
        factor = np.where(events > 0, _NUTCH_SHRINKAGE, _NUTCH_GROWTH)
        factor[seconds == 0] = 1.0
        wanted = self._intervals[pages] * factor
        self._intervals[pages] = np.clip(wanted, self._bounds.least, self._bounds.greatest)
        return self._intervals[pages]


class Ours:
    """The crawler's own policy, with what the frontier would remember of the pages."""

    def __init__(self, site: Site, bounds: Bounds, rng: np.random.Generator) -> None:
        self._bounds = bounds
        self._rng = rng
        self._lists = site.lists
        self._counts: Counter[str] = Counter()
        self._events, self._exposures, self._intervals = np.zeros((3, len(site)))

    def __call__(self, pages: Places, events: Floats, seconds: Floats, now: float) -> Floats:
        intervals = np.empty(len(pages))
        for is_list in (False, True):
            chosen = self._lists[pages] == is_list
            if chosen.any():
                intervals[chosen] = self._planned(
                    pages[chosen], events[chosen], seconds[chosen], is_list=is_list
                )
        return intervals

    def _planned(self, pages: Places, events: Floats, seconds: Floats, *, is_list: bool) -> Floats:
        host = HostCounts(self._counts, 1 / self._bounds.average)
        page_type = "feed" if is_list else "article"
        policy = Adaptive(host, self._bounds, page_type, is_list=is_list)
        old = Rate(self._events[pages], self._exposures[pages])
        is_first = seconds == 0
        found = Found(events, np.where(is_first, 1.0, seconds), np.full(len(pages), np.nan))
        learned = policy.learned(old, found)
        new = Rate(
            np.where(is_first, 0.0, learned.events), np.where(is_first, 0.0, learned.exposure)
        )
        intervals = policy.interval(new, self._rng)
        self._counts.update(policy.counts(new, old, intervals, self._intervals[pages]))
        self._events[pages], self._exposures[pages] = new
        self._intervals[pages] = intervals
        return intervals


class Clairvoyant:
    """The best intervals under the same budget by who knows all rates, and the periodic times.

    Not when other pages change, for nobody can know it.
    """

    def __init__(self, site: Site, bounds: Bounds, rng: np.random.Generator) -> None:
        del rng
        self._site = site
        self._bounds = bounds
        low, high = -20.0, 20.0
        for _ in range(_HALVINGS):
            price = (low + high) / 2
            if np.sum(1 / self._best(np.exp(price))) > len(site) / bounds.average:
                low = price
            else:
                high = price
        self._intervals = self._best(np.exp(high))
        self._is_timed = site.is_periodic & (self._intervals < bounds.greatest)

    def __call__(self, pages: Places, events: Floats, seconds: Floats, now: float) -> Floats:
        to_change = self._site.next_change[pages] - now + _MOMENT
        return np.where(self._is_timed[pages], to_change, self._intervals[pages])

    def _best(self, price: float) -> Floats:
        site, bounds = self._site, (self._bounds.least, self._bounds.greatest)
        found = np.asarray(visit_price.interval(site.rates, price, *bounds))
        entries = np.asarray(visit_price.list_interval(site.rates, price, *bounds))
        # Right after its change, a visit of a periodic page makes it fresh for a whole period.
        is_worth = site.is_periodic & (1 / site.rates >= price)
        found = np.where(site.is_periodic, self._bounds.greatest, found)
        return np.where(site.lists, entries, np.where(is_worth, 1 / site.rates, found))


POLICIES: Final[Mapping[str, Callable[[Site, Bounds, np.random.Generator], Policy]]] = {
    "fixed": Fixed,
    "Nutch": Nutch,
    "ours": Ours,
    "clairvoyant": Clairvoyant,
}

"""The adaptive policy: learns how often pages change, and gives them the visits that there are.

The interval is that of a rate drawn from what is known of the page (Thompson sampling): a page of
which little is known is sometimes visited soon, sometimes late, and both tell something. Otherwise
pages that were once taken to change too often would never be found to have calmed down, and those
whose every visit finds a change would not be told apart.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crawler.recrawl import visit_price
from crawler.recrawl.change_rate import Found, Numbers, Rate, counted, dated, faded, visited
from crawler.recrawl.host_counts import Bounds, Counts, HostCounts

# Drawn rates are at least this share of the mean; smaller ones need not be told apart.
_LEAST_SHARE = 1e-6


class Adaptive:
    """The policy for the pages of one type of one host, as of its counters; see ``HostCounts``.

    is_list: whether they list other pages, so that an event is a new entry.
    most: visits per second that all known pages of the host can have.
    """

    def __init__(
        self,
        counts: HostCounts,
        bounds: Bounds,
        page_type: str,
        *,
        is_list: bool,
        most: float = np.inf,
    ) -> None:
        self._counts = counts
        self._bounds = bounds
        self._type = page_type
        self._is_list = is_list
        self._most = most
        # With this price, pages that change as is usual are visited at the average interval.
        first = visit_price.value(1 / bounds.average, bounds.average)
        self._price = float(first) * counts.price_factor

    def learned(self, rate: Rate, found: Found) -> Rate:
        """The rates after visits. Without events, a page has been visited once before."""
        start = self._or_prior(rate)
        if self._is_list:
            return faded(counted(start, found.events, found.seconds))
        seen = visited(start, np.asarray(found.events) > 0, found.seconds)
        told = dated(start, found.changed_ago)
        is_told = ~np.isnan(found.changed_ago)
        return faded(
            Rate(
                np.where(is_told, told.events, seen.events),
                np.where(is_told, told.exposure, seen.exposure),
            )
        )

    def interval(self, rate: Rate, rng: np.random.Generator) -> NDArray[np.float64]:
        """Seconds until the next visits."""
        known, bounds = self._or_prior(rate), (self._bounds.least, self._bounds.greatest)
        if self._is_list:
            return np.asarray(visit_price.list_interval(known.mean, self._price, *bounds))
        drawn = np.maximum(rng.gamma(known.events) / known.exposure, _LEAST_SHARE * known.mean)
        return np.asarray(visit_price.interval(drawn, self._price, *bounds))

    def counts(self, new: Rate, old: Rate, interval: Numbers, old_interval: Numbers) -> Counts:
        """What visits add to the host's counters. Without events or interval, there was none."""
        host, bounds = self._counts, self._bounds
        return {
            **host.rated(self._type, new, old),
            **host.planned(interval, old_interval),
            **host.priced(bounds, interval, self._most),
        }

    def _or_prior(self, rate: Rate) -> Rate:
        start, is_known = self._counts.prior(self._type), np.asarray(rate.exposure) > 0
        return Rate(
            np.where(is_known, rate.events, start.events),
            np.where(is_known, rate.exposure, start.exposure),
        )

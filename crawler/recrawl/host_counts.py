"""What was learned of a host: how often its pages change, the price of a visit, and whom to trust.

It is in counters to which all workers add, see ``Frontier.counts``. What is to be added is made
here, too, as a mapping of names to numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from crawler.recrawl.change_rate import Numbers, Rate, prior

Counts = dict[str, float]
# Says when a page has changed: its Last-Modified header, or a sitemap or feed.
Witness = Literal["last-modified", "hint"]

# By e to this, at most, the price changes while all pages are visited once.
_STEP: Final = 1.5
# A witness is known after so many statements.
_ENOUGH: Final = 10
_KNOWN: Final = "known"
_PLANNED: Final = "planned"
_PRICE: Final = "log-price"
_RATED: Final = "rated "
_RATE: Final = "rate "


@dataclass(frozen=True, slots=True)
class Bounds:
    """Intervals in seconds: on average over the pages of a host, and of each page."""

    average: float
    least: float
    greatest: float

    def clamped(self, seconds: float) -> float:
        """The interval of a page for which this one is wanted."""
        return min(max(seconds, self.least), self.greatest)


class HostCounts:
    """The counters of a host. usual: changes per second of a page, where nothing is known."""

    def __init__(self, counts: Mapping[str, float], usual: float) -> None:
        self._counts = counts
        self._usual = usual

    def prior(self, page_type: str) -> Rate:
        """What is known of a page of this type before its second visit."""
        pages, total = self._of(_RATED + page_type), self._of(_RATE + page_type)
        # What is usual counts as one page; sums of differences may fall a little below 0.
        return prior((self._usual + max(total, 0.0)) / (1.0 + max(pages, 0.0)))

    @property
    def price_factor(self) -> float:
        """The price of a visit, by which it differs from the first one."""
        return math.exp(self._of(_PRICE))

    def share_of_right(self, witness: Witness) -> float:
        """The share of a witness's statements that were right; 0.5 if there are none."""
        right, wrong = self._of(f"{witness}-right"), self._of(f"{witness}-wrong")
        return (right + 1) / (right + wrong + 2)

    def knows(self, witness: Witness) -> bool:
        """Whether there are enough statements to judge a witness."""
        return self._of(f"{witness}-right") + self._of(f"{witness}-wrong") >= _ENOUGH

    def rated(self, page_type: str, new: Rate, old: Rate) -> Counts:
        """What the new rates of some pages add; without events where there is none."""
        more, total = _added((new.events, new.exposure), (old.events, old.exposure))
        return {_RATED + page_type: more, _RATE + page_type: total}

    def planned(self, new: Numbers, old: Numbers) -> Counts:
        """What the new intervals of some pages add; 0 where there is none."""
        more, total = _added((np.sign(new), new), (np.sign(old), old))
        return {_KNOWN: more, _PLANNED: total}

    def priced(self, bounds: Bounds, interval: Numbers, most: float) -> Counts:
        """What visits add to the price: they raise it if more are planned than there may be.

        interval: as planned; at its bounds the price has no effect, so it is not pushed further.
        most: visits per second that all pages of the host can have.
        """
        known, planned = self._of(_KNOWN), self._of(_PLANNED)
        if known <= 0 or planned <= 0:
            return {}
        excess = math.log(planned / min(known / bounds.average, most))
        is_free = interval < bounds.greatest if excess > 0 else interval > bounds.least
        step = min(max(excess, -1.0), 1.0) / known
        return {_PRICE: _STEP * step * float(np.sum(is_free))}

    @staticmethod
    def testified(witness: Witness, *, is_right: bool) -> Counts:
        """What a statement of a witness adds."""
        return {f"{witness}-{'right' if is_right else 'wrong'}": 1.0}

    def _of(self, name: str) -> float:
        return self._counts.get(name, 0.0)


def _added(new: tuple[Numbers, Numbers], old: tuple[Numbers, Numbers]) -> tuple[float, float]:
    """How many more quotients there are, and by how much more their sum is; 0 / 0 is none."""
    more = np.sum(np.sign(new[0])) - np.sum(np.sign(old[0]))
    return float(more), float(np.sum(_quotients(*new)) - np.sum(_quotients(*old)))


def _quotients(above: Numbers, below: Numbers) -> Numbers:
    is_there = np.asarray(above) > 0
    return np.where(is_there, np.divide(above, np.where(is_there, below, 1.0)), 0.0)

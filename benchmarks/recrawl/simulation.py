"""Visits a site in virtual time, under a budget, and measures how well its pages are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.recrawl.policies import Policy
from benchmarks.recrawl.sites import Floats, Places, Site

# Steps in which the budget is one visit of each page.
_STEPS: Final = 100
# What is not used of it can be used later, up to this share of a visit of each page.
_SAVED: Final = 0.1


@dataclass(slots=True)
class Measures:
    """Sums from ``start`` to ``end``, in time of one page.

    fresh: it was known as it is. age: integral of the time since the first change that is not
    known. visits, wasted: all, and those which found nothing. entries: new ones of lists that were
    found; waited: how long they were not.
    """

    start: float
    end: float
    fresh: float = 0.0
    age: float = 0.0
    visits: int = 0
    wasted: int = 0
    entries: float = 0.0
    waited: float = 0.0

    def add(self, site: Site, pages: Places, last: Floats, events: Floats, now: float) -> None:
        """Count visits. last: of all pages, the visits before."""
        others, lists = pages[~site.lists[pages]], site.lists[pages]
        self.add_pages(last[others], site.next_change[others], now)
        # Entries came at random, so on average they waited for half the time.
        self.entries += float(events[lists].sum())
        self.waited += float((events[lists] * (now - last[pages[lists]])).sum() / 2)
        self.visits += len(pages)
        self.wasted += int((events == 0).sum())

    def add_pages(self, last: Floats, changes: Floats, now: float) -> None:
        """Count the time since the last visits of some pages. changes: the first ones since."""
        begin = np.maximum(last, self.start)
        known_until = np.minimum(changes, now)
        self.fresh += float(np.maximum(known_until - begin, 0.0).sum())
        stale_from = np.maximum(changes, begin)
        is_stale = stale_from < now
        changes, stale_from = changes[is_stale], stale_from[is_stale]
        self.age += float(((now - changes) ** 2 - (stale_from - changes) ** 2).sum() / 2)


def simulate(site: Site, policy: Policy, interval: float, rounds: int) -> Measures:
    """Visit the site's pages, each once an ``interval`` on average; the first half is to learn.

    rounds: for so many intervals. Pages that are due beyond the budget wait, longest overdue first.
    """
    pages, end = len(site), rounds * interval
    measures = Measures(end / 2, end)
    due = interval * (np.arange(pages) / pages)
    np.random.default_rng(0).shuffle(due)
    last = np.zeros(pages)
    is_known = np.zeros(pages, bool)
    step = interval / _STEPS
    credit = 0.0
    for number in range(1, rounds * _STEPS + 1):
        now = number * step
        credit = min(credit + pages / _STEPS, _SAVED * pages)
        chosen = _due(due, now, int(credit))
        if not chosen.size:
            continue
        credit -= chosen.size
        seconds = np.where(is_known[chosen], now - last[chosen], 0.0)
        events = _events(site, chosen, seconds, now)
        if now > measures.start:
            measures.add(site, chosen, last, events, now)
        site.visit(chosen, now)
        due[chosen] = now + policy(chosen, events, seconds, now)
        last[chosen] = now
        is_known[chosen] = True
    others = np.flatnonzero(~site.lists)
    measures.add_pages(last[others], site.next_change[others], end)
    return measures


def _due(due: Floats, now: float, most: int) -> Places:
    chosen = np.flatnonzero(due <= now)
    if len(chosen) > most:
        chosen = chosen[np.argpartition(due[chosen], most)[:most]]
    return chosen


def _events(site: Site, pages: Places, seconds: Floats, now: float) -> Floats:
    """What visits find: new entries of lists; whether other pages have changed, as 0 or 1."""
    events = (site.next_change[pages] < now).astype(float)
    is_list = site.lists[pages]
    events[is_list] = site.entries(pages[is_list], seconds[is_list])
    return events

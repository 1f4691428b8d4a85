"""Decides after each visit when the URL is visited again, and what is remembered until then."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Final

import numpy as np

from crawler.frontier.url_meta import Kind
from crawler.frontier.visits import NOTHING, Visit
from crawler.lease import Lease
from crawler.recrawl.change_rate import Found, Rate
from crawler.recrawl.hints import changed_at
from crawler.recrawl.history import History
from crawler.recrawl.host_counts import Bounds, Counts, HostCounts
from crawler.recrawl.observation import Observation, remembered
from crawler.recrawl.validators import lifetime_of
from settings import Job

# The kinds of files that list pages, and such page types: what counts is that they list new ones.
_LISTS: Final = frozenset({"feed", "sitemap", "listing", "collection"})
_UNKNOWN_TYPE: Final = "page"
# Last-Modified is trusted if this share of its statements was right.
_TRUSTED: Final = 0.9
# What the frontier remembers of a URL that has not been found yet.
_NEVER_FOUND: Final = "-"
_NO_RATE: Final = Rate(0.0, 0.0)
# Pages to visit early by the word of a sitemap or feed whose host is not known, or often wrong.
_FEW: Final = 10
_ONE: Final = 1
# The counters of so many hosts are remembered for so many seconds.
_MOST_HOSTS: Final = 1_000
_REMEMBERED: Final = 30.0


@dataclass(slots=True)
class _Remembered:
    """The counters of a host, with what this worker added since; until is by the same clock."""

    counts: dict[str, float]
    until: float


class Revisits:
    """The policy of one crawl. For a job without ``[recrawl]``, no URL is visited again; one that
    a run with it has left in work keeps its history and interval, for a run with it to come.

    counts: of a host, as ``Frontier.counts``. clock: seconds since 1970.
    scope: a short digest of the job's table.
    """

    def __init__(
        self,
        job: Job,
        counts: Callable[[str], Awaitable[Mapping[str, float]]],
        *,
        clock: Callable[[], float] = time.time,
        rng: np.random.Generator | None = None,
    ) -> None:
        self.scope = blake2b(job.scope.model_dump_json().encode(), digest_size=3).hexdigest()
        self._table = job.recrawl
        politeness = job.politeness
        visits = (
            politeness.concurrency_per_host / politeness.delay if politeness.delay else math.inf
        )
        # Visits per second that all known pages of a host get, if it has new ones, too.
        self._most = job.recrawl.budget * visits
        self._counts = counts
        self._clock = clock
        self._rng = rng or np.random.default_rng()
        self._hosts: OrderedDict[str, _Remembered] = OrderedDict()

    @property
    def is_on(self) -> bool:
        return self._table.policy != "never"

    def plans(self, lease: Lease) -> bool:
        """Whether a leased URL gets a next visit, due in this job or in one with ``[recrawl]``."""
        return self.is_on or bool(lease.history)

    async def after(
        self, lease: Lease, found: Observation
    ) -> tuple[Visit | None, Mapping[str, float]]:
        """When the URL is visited again, if ever, and what was learned of its host.

        Both belong to the acknowledgement of the lease. Until a URL is found, nothing is remembered
        of it, and its next visit is like the first. Raises FrontierError.
        """
        if not self.plans(lease):
            return None, NOTHING
        before = history_of(lease.history)
        if before is None and not found.is_answer:
            return Visit(self._next_try(lease, found), _NEVER_FOUND), NOTHING
        history = remembered(before, found, int(self._clock()))
        if found.is_read:
            history = replace(history, scope=self.scope)
        if not self.is_on:
            return Visit(history.interval, history.text()), NOTHING
        counts = await self._counts_of(lease.host)
        learned = _testimony(lease, before, history, found)
        host = HostCounts(counts, self._usual)
        if self._table.policy == "adaptive":
            history, more = self._adapted(lease, before, history, found, host)
        else:
            interval = self._bounded(history, found, self._table.interval)
            more = host.planned(interval, history.interval)
            history = replace(history, interval=interval)
        learned |= more
        for name, number in learned.items():
            counts[name] = counts.get(name, 0.0) + number
        return Visit(history.interval, history.text()), learned

    def hint(self, date: str) -> float | None:
        """When a page with that date in a sitemap or feed has changed, in seconds since 1970.

        The frontier follows a hint that is later than the page's last visit; so it is early enough
        that no page is visited again too soon. None if the date says nothing.
        """
        now = self._clock()
        said = changed_at(date, now) if self.is_on else None
        return None if said is None else min(said, now - self._table.least.default)

    def hints_since(self, before: History | None) -> float:
        """From when on hints are new to a list, of which this was remembered before it was read."""
        if before is None or not self._table.hints:
            return math.inf
        return min(before.visited_at, self._clock() - self._table.least.default)

    async def hints_to_follow(self, host: str) -> float:
        """How many pages of a host may be visited early because a list says that they have changed.

        Without limit if that was right more often than not, so far.
        """
        if not (self.is_on and self._table.hints):
            return 0
        counts = HostCounts(await self._counts_of(host), self._usual)
        if not counts.knows("hint"):
            return _FEW
        return math.inf if counts.share_of_right("hint") >= 0.5 else _ONE

    def _next_try(self, lease: Lease, found: Observation) -> float:
        """Seconds until a URL that has never been found is tried again.

        Most that are refused, or not there, stay so. But of seeds, and of what sitemaps list, the
        owner or the user has said that they are there, and an outage says nothing.
        """
        bounds = self._bounds(Kind.SITEMAP if lease.kind == Kind.ROBOTS else lease.kind)
        is_wanted = lease.depth == 0 or found.seen == "failed"
        wanted = self._table.interval if is_wanted else bounds.greatest
        return bounds.clamped(wanted)

    def _adapted(
        self,
        lease: Lease,
        before: History | None,
        history: History,
        found: Observation,
        host: HostCounts,
    ) -> tuple[History, Counts]:
        """The history with the new estimate and interval, and what they add to the counters."""
        # It needs SciPy, which other jobs need not load.
        from crawler.recrawl.adaptive import Adaptive  # noqa: PLC0415

        page_type = history.page_type or _UNKNOWN_TYPE
        bounds = self._bounds(history.page_type)
        policy = Adaptive(host, bounds, page_type, is_list=page_type in _LISTS, most=self._most)
        rate = old = Rate(history.events, history.exposure)
        if before is not None and found.is_answer:
            seen = _found(lease, before, history, found, host)
            rate = policy.learned(old, seen)
        # Counted as it is stored, so that the host's sums stay those of its pages.
        events, exposure = round(float(rate.events), 3), round(float(rate.exposure), 1)
        rate = Rate(events, exposure)
        interval = self._bounded(history, found, float(policy.interval(rate, self._rng)))
        counts: Counts = {}
        if before is not None and before.page_type != history.page_type:
            counts |= host.rated(before.page_type or _UNKNOWN_TYPE, _NO_RATE, old)
            old = _NO_RATE
        counts |= policy.counts(rate, old, interval, history.interval)
        return replace(history, events=events, exposure=exposure, interval=interval), counts

    def _bounded(self, history: History, found: Observation, wanted: float) -> int:
        """The interval, if the policy wants that one: whole seconds."""
        bounds = self._bounds(history.page_type)
        if found.seen == "failed":
            wanted = history.interval
        elif found.seen == "gone":
            # Once may be a mistake, so it is soon looked at again.
            wanted = history.interval / 2 if history.misses == 1 else bounds.greatest
        else:
            wanted = max(wanted, lifetime_of(dict(found.headers)))
        return math.ceil(bounds.clamped(wanted))

    def _bounds(self, page_type: str) -> Bounds:
        table = self._table
        least, greatest = table.least.of(page_type), table.greatest.of(page_type)
        return Bounds(table.interval, least, greatest)

    @property
    def _usual(self) -> float:
        return 1 / self._table.interval

    async def _counts_of(self, host: str) -> dict[str, float]:
        """The counters of a host, a little out of date; what is added to them is seen at once."""
        now = self._clock()
        known = self._hosts.get(host)
        if known is None or not now < known.until <= now + _REMEMBERED:
            counts = dict(await self._counts(host))
            known = self._hosts[host] = _Remembered(counts, now + _REMEMBERED)
        self._hosts.move_to_end(host)
        if len(self._hosts) > _MOST_HOSTS:
            self._hosts.popitem(last=False)
        return known.counts


def history_of(text: str) -> History | None:
    """What a lease or the frontier remembers of a URL; None if it has not been found yet."""
    try:
        return History.read(text) if text and text != _NEVER_FOUND else None
    except ValueError:  # written by another version
        return None


def _found(
    lease: Lease, before: History, history: History, found: Observation, host: HostCounts
) -> Found:
    """What a visit found, for the estimate of the page's changes."""
    seconds = max(history.visited_at - before.visited_at, 1)
    if history.page_type in _LISTS:
        return Found(float(found.new_links), float(seconds), math.nan)
    has_changed, ago = found.seen == "changed", math.nan
    if has_changed and history.last_modified and host.share_of_right("last-modified") >= _TRUSTED:
        ago = float(min(max(history.visited_at - history.last_modified, 1), seconds))
    elif has_changed and lease.hinted:
        # The hint came with the first change.
        ago = float(seconds)
    return Found(float(has_changed), float(seconds), ago)


def _testimony(
    lease: Lease, before: History | None, history: History, found: Observation
) -> Counts:
    """Who said whether the page had changed, and was right."""
    counts: Counts = {}
    has_changed = found.seen == "changed"
    if before is None or not found.is_answer:
        return counts
    if lease.hinted:
        counts |= HostCounts.testified("hint", is_right=has_changed)
    if found.is_read and before.last_modified and history.last_modified:
        says_so = history.last_modified != before.last_modified
        counts |= HostCounts.testified("last-modified", is_right=says_so == has_changed)
    return counts

"""Crawls that visit pages again, in any course: shares, politeness, nothing lost nor done twice."""

from __future__ import annotations

import asyncio
import itertools
import random
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from blocking_frontier import Blocking, Clock, accounted
from frontier_audit import audit as audit_sqlite
from hypothesis import given, settings
from hypothesis import strategies as st
from redis_audit import audit as audit_redis
from redis_process import RedisProcess

from crawler.frontier import Lease, Policy, SqliteFrontier, Visit
from crawler.frontier.redis import RedisFrontier
from crawler.frontier.sqlite.file import FILE_NAME

POLICY = Policy(delay=5, lease_seconds=60, tries=2, first_backoff=10)
DAY = 86_400.0
SOON = 3600.0
_jobs = itertools.count(1)

# What may become of a lease. A lost one is never heard of again.
FATES = st.sampled_from(["done", "done", "done", "lost", "failed", "given back"])
SHARES = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.7, 1.0])
# How many known and how many new URLs the hosts have.
HOSTS = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=3)


class Story:
    """A run in which known URLs are due and new ones wait, and what must hold all the time."""

    def __init__(self, frontier: Blocking, clock: Clock, share: float) -> None:
        self.frontier = frontier
        self.clock = clock
        self.share = share
        self.due: defaultdict[str, set[str]] = defaultdict(set)
        self.queued: defaultdict[str, set[str]] = defaultdict(set)
        self.contested: Counter[str] = Counter()
        self.revisits: Counter[str] = Counter()
        self.last_visit: dict[str, float] = {}

    def add(self, host: int, kind: str, count: int) -> None:
        name = f"h{host}.test"
        urls = [f"http://{name}/{kind}/{number}" for number in range(count)]
        assert self.frontier.add_urls(*urls) == count
        self.queued[name].update(urls)

    def come_back(self) -> None:
        """A day later a run begins; all that is known is due."""
        self.clock.pass_(DAY)
        assert self.frontier.begin_run()
        self.due, self.queued = self.queued, defaultdict(set)
        assert self.frontier.stats().due == sum(map(len, self.due.values()))

    def visit_all(self) -> None:
        """The first visits."""
        for lease in self._leases():
            assert lease.history == ""
            self.frontier.ack(lease, "kept", visit=Visit(SOON, lease.url))

    def visit_again(self, fates: Iterator[str]) -> None:
        for lease in self._leases():
            known = "/known/" in lease.url
            assert lease.history == (lease.url if known else "")
            host = lease.host
            if self.due[host] and self.queued[host]:
                self.contested[host] += 1
                self.revisits[host] += lease.url in self.due[host]
                wanted = self.share * self.contested[host]
                assert abs(self.revisits[host] - wanted) < 1 + 1e-6
            (self.due if lease.url in self.due[host] else self.queued)[host].remove(lease.url)
            self._end(lease, next(fates))
        assert not any(self.due.values())
        assert not any(self.queued.values())

    def _leases(self) -> Iterator[Lease]:
        """One after the other, as soon as there is one, each no sooner than the host's delay."""
        while not self.frontier.finished():
            leases = self.frontier.lease(2)
            for lease in leases:
                earliest = self.last_visit.get(lease.host, 0) + POLICY.delay
                assert self.clock.now >= earliest - 1e-5
                self.last_visit[lease.host] = self.clock.now
                yield lease
            if not leases:
                self.clock.pass_(self.frontier.lease_in() + 1e-3)

    def _end(self, lease: Lease, fate: str) -> None:
        if fate == "done" or lease.attempt > 1:
            assert self.frontier.ack(lease, "kept", visit=Visit(SOON, lease.url))
            return
        self.queued[lease.host].add(lease.url)
        if fate != "lost":
            reason = "timeout" if fate == "failed" else None
            assert self.frontier.release(lease, reason=reason, retry_after=0)


def tell(
    frontier: Blocking,
    clock: Clock,
    share: float,
    hosts: Sequence[tuple[int, int]],
    fates: Sequence[str],
) -> None:
    story = Story(frontier, clock, share)
    assert frontier.begin_run()
    for host, (known, _) in enumerate(hosts):
        story.add(host, "known", known)
    story.visit_all()
    story.come_back()
    for host, (_, new) in enumerate(hosts):
        story.add(host, "new", new)
    story.visit_again(itertools.chain(fates, itertools.repeat("done")))
    total = sum(map(sum, hosts))
    stats = frontier.stats()
    assert accounted(stats)
    assert (stats.done, stats.due) == (total, 0)
    clock.pass_(DAY)
    assert frontier.begin_run()
    assert frontier.stats().due == total


@given(share=SHARES, hosts=HOSTS, fates=st.lists(FATES, max_size=30))
@settings(max_examples=15, deadline=None)
def test_in_a_file(share: float, hosts: list[tuple[int, int]], fates: list[str]) -> None:
    with TemporaryDirectory() as name:
        folder, clock, policy = Path(name), Clock(), replace(POLICY, revisit_share=share)
        with asyncio.Runner() as runner:
            opened = SqliteFrontier.open(folder, policy, clock=clock, rng=random.Random(1))
            frontier = Blocking(runner.run(opened), runner)
            try:
                tell(frontier, clock, share, hosts, fates)
            finally:
                frontier.close()
        with closing(sqlite3.connect(folder / FILE_NAME)) as db:
            audit_sqlite(db)


# The server is the same for all examples: each has a job of its own there.
@given(share=SHARES, hosts=HOSTS, fates=st.lists(FATES, max_size=30))
@settings(max_examples=15, deadline=None)
def test_in_redis(
    shared: RedisProcess, share: float, hosts: list[tuple[int, int]], fates: list[str]
) -> None:
    job, clock, policy = f"job-{next(_jobs)}", Clock(), replace(POLICY, revisit_share=share)
    with asyncio.Runner() as runner:
        opened = RedisFrontier.open(
            shared.url, job, policy, clock=clock, rng=random.Random(1), patience=5
        )
        frontier = Blocking(runner.run(opened), runner)
        try:
            tell(frontier, clock, share, hosts, fates)
        finally:
            frontier.close()
        runner.run(audit_redis(shared.url, job))

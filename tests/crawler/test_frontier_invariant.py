"""Whatever is asked of a frontier in whatever order, every URL stays accounted for."""

from __future__ import annotations

import asyncio
import random
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

from blocking_frontier import Blocking, Clock, accounted
from frontier_audit import audit
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
)

from crawler.frontier import Candidate, Lease, Policy, SqliteFrontier, Visit

POLICY = Policy(
    delay=5,
    visits_per_host=2,
    lease_seconds=60,
    tries=2,
    losses=2,
    first_backoff=10,
    pages=12,
    pages_per_host=6,
    revisit_share=0.5,
)
URLS = st.builds("http://h{}.test/{}".format, st.integers(0, 2), st.integers(0, 9))
CANDIDATES = st.builds(
    Candidate, URLS | st.just("mailto:x"), depth=st.integers(0, 3), priority=st.integers(-2, 2)
)
VISITS = st.builds(Visit, st.sampled_from([0, 30, 1000]), st.just("history"))
HOSTS = st.sampled_from(["h0.test", "h1.test", "new.test"])


class SqliteMachine(RuleBasedStateMachine):
    """Remembers which tokens it holds, what was added, and when hosts were visited.

    visits: the times by host and token, without visits in which nothing was sent.
    known: done URLs that will be visited again.
    """

    leases = Bundle("leases")

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.clock = Clock()
        self.seen: set[str] = set()
        self.done: set[str] = set()
        self.known: set[str] = set()
        self.forgotten: set[str] = set()
        self.change = 0
        self.pages = 0
        self.failures: Counter[str] = Counter()
        self.visits: defaultdict[str, dict[int, float]] = defaultdict(dict)
        self.token = 0
        self.open()

    def open(self) -> None:
        opened = SqliteFrontier.open(
            Path(self.folder.name), POLICY, clock=self.clock, rng=random.Random(1)
        )
        self.sqlite = self.runner.run(opened)
        self.frontier = Blocking(self.sqlite, self.runner)

    @initialize(candidates=st.lists(CANDIDATES, min_size=6, max_size=12))
    def begin(self, candidates: list[Candidate]) -> None:
        self.add(candidates)

    @rule(candidates=st.lists(CANDIDATES, max_size=12))
    def add(self, candidates: list[Candidate]) -> None:
        urls = {candidate.url for candidate in candidates} - {"mailto:x"}
        assert self.frontier.add(candidates) == len(urls - self.seen)
        self.seen |= urls

    @rule(target=leases, n=st.integers(0, 6), seconds=st.sampled_from([0, 5, 20]))
    def lease(self, n: int, seconds: float) -> object:
        self.clock.pass_(seconds)
        leases = self.frontier.lease(n)
        assert len(leases) <= n
        for lease in leases:
            assert lease.url in self.seen - self.forgotten - (self.done - self.known)
            assert lease.url not in self.known or lease.history == "history"
            self.done.discard(lease.url)
            self.known.discard(lease.url)
            assert lease.token > self.token
            assert lease.host_failures == self.failures[lease.host]
            visits = self.visits[lease.host]
            assert self.clock.now - max(visits.values(), default=0) >= POLICY.delay
            self.token = lease.token
            visits[lease.token] = self.clock.now
        return multiple(*leases)

    @rule(lease=consumes(leases), page=st.booleans(), visit=st.none() | VISITS, sent=st.booleans())
    def ack(self, lease: Lease, page: bool, visit: Visit | None, sent: bool) -> None:
        outcome = "kept" if page else "redirected"
        if self.frontier.ack(lease, outcome, page=page, visit=visit, sent=sent):
            if not sent:
                del self.visits[lease.host][lease.token]
            assert lease.url not in self.done
            self.done.add(lease.url)
            self.pages += page
            if visit:
                self.known.add(lease.url)

    @rule(url=URLS, visit=VISITS)
    def replace(self, url: str, visit: Visit) -> None:
        self.change += 1
        self.frontier.recount("worker", self.change, {}, {url: visit})

    @rule(url=URLS, ago=st.sampled_from([0, 100]))
    def hint(self, url: str, ago: float) -> None:
        due = self.frontier.stats().due
        new = self.frontier.add_urls(url, changed_at=self.clock.now - ago)
        self.seen.add(url)
        more = self.frontier.stats().due - due
        assert not (new and more)
        assert not more or (more == 1 and url in self.known)

    @rule(url=URLS)
    def forget(self, url: str) -> None:
        self.frontier.forget([url])
        if url not in self.seen:
            self.forgotten.add(url)
        self.seen.add(url)
        self.known.discard(url)

    @rule()
    def begin_run(self) -> None:
        finished = self.frontier.finished()
        assert self.frontier.begin_run() == finished
        if finished:
            self.pages = 0
            self.failures.clear()
            assert self.frontier.stats().due <= len(self.known)

    @rule(
        lease=leases,
        reason=st.none() | st.just("timeout"),
        retry_after=st.none() | st.sampled_from([0, 7]),
        sent=st.booleans(),
    )
    def release(
        self, lease: Lease, reason: str | None, retry_after: float | None, sent: bool
    ) -> None:
        how = {"reason": reason, "retry_after": retry_after, "sent": sent}
        if self.frontier.release(lease, **how) and not sent:
            del self.visits[lease.host][lease.token]

    @rule(host=HOSTS, before=st.integers(0, 2), failures=st.integers(0, 2))
    def host_fails(self, host: str, before: int, failures: int) -> None:
        if self.frontier.set_failures(host, before, failures):
            assert self.failures[host] == before
            self.failures[host] = failures

    @rule(some=st.lists(leases, min_size=1, max_size=4))
    def fetched(self, some: list[Lease]) -> None:
        self.frontier.fetched(some)

    @rule(lease=leases)
    def renew(self, lease: Lease) -> None:
        for renewed in self.frontier.renew([lease]):
            assert renewed.deadline == self.clock.now + POLICY.lease_seconds

    @rule(seconds=st.sampled_from([1, 70]))
    def time_passes(self, seconds: float) -> None:
        self.clock.pass_(seconds)

    @rule(host=HOSTS, seconds=st.sampled_from([0, 15]))
    def host_asks(self, host: str, seconds: float) -> None:
        self.frontier.delay_host(host, seconds)
        self.frontier.pace_host(host, seconds)

    @rule(host=st.none() | HOSTS, purge=st.booleans())
    def bury_or_raise(self, host: str | None, purge: bool) -> None:
        if purge:
            self.frontier.purge_dead(host)
            return
        for letter in self.frontier.dead_letters(host=host):
            self.failures[letter.host] = 0
        self.frontier.retry_dead(host)

    @rule(crash=st.booleans())
    def open_again(self, crash: bool) -> None:
        if crash:
            self.sqlite.thread.submit(self.sqlite.db.close).result()
            self.sqlite.lock.release()
            self.sqlite.thread.shutdown()
        else:
            self.frontier.close()
        self.open()
        assert self.frontier.stats().leased == 0

    @invariant()
    def every_url_is_accounted_for(self) -> None:
        stats = self.frontier.stats()
        assert accounted(stats)
        assert stats.added == len(self.seen)
        assert stats.done == len(self.done)
        assert self.pages <= POLICY.pages
        self.sqlite.thread.submit(audit, self.sqlite.db).result()

    @invariant()
    def a_crawl_that_is_not_finished_has_something_to_wait_for(self) -> None:
        assert self.frontier.finished() or self.frontier.lease_in() is not None

    def teardown(self) -> None:
        self.frontier.close()
        self.runner.close()
        self.folder.cleanup()


TestSqliteMachine = SqliteMachine.TestCase
TestSqliteMachine.settings = settings(
    max_examples=40,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)

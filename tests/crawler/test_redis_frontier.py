"""The Redis frontier: the contract, on a real shared."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Iterator

import pytest
from blocking_frontier import EAGER, POLITE, Blocking, Clock, Make, pages, urls
from frontier_contract import FrontierContract
from redis_audit import audit
from redis_process import RedisProcess

from crawler.frontier import Policy
from crawler.frontier.redis import RedisFrontier

_names = itertools.count(1)


@pytest.fixture
def job() -> str:
    return f"job-{next(_names)}"


@pytest.fixture
def make(shared: RedisProcess, job: str, clock: Clock, runner: asyncio.Runner) -> Iterator[Make]:
    made: list[Blocking] = []

    def make(policy: Policy) -> Blocking:
        opened = RedisFrontier.open(
            shared.url, job, policy, clock=clock, rng=random.Random(1), patience=5
        )
        made.append(Blocking(runner.run(opened), runner))
        return made[-1]

    yield make
    for frontier in made:
        frontier.close()
    if made:  # whatever the test did, the counters say what the queues say
        runner.run(audit(shared.url, job))


class TestContract(FrontierContract):
    """The Redis frontier keeps the contract."""


class TestClock:
    def test_no_host_waits_where_it_was_set_back(self, make: Make, clock: Clock) -> None:
        polite = make(POLITE)
        polite.add_urls(*pages("a.test", 5))
        for _ in range(4):
            (lease,) = polite.lease(1)
            clock.pass_(-600)
            assert polite.lease(1) == []
            polite.fetched([lease])
            assert polite.lease_in() == POLITE.delay
            clock.pass_(POLITE.delay)

    def test_leases_live_as_long_where_it_was_set_back(self, make: Make, clock: Clock) -> None:
        frontier = make(EAGER)
        frontier.add_urls(*pages("a.test", 2))
        _, held = frontier.lease(2)
        clock.pass_(-600)
        frontier.renew([held])
        for _ in range(2):
            assert frontier.lease(1) == []
        clock.pass_(EAGER.lease_seconds - 1)
        frontier.renew([held])
        assert frontier.lease(1) == []
        clock.pass_(1)
        assert urls(frontier.lease(2)) == ["http://a.test/0"]

    def test_leases_that_are_given_at_once_do_not_put_it_forward(
        self, make: Make, clock: Clock
    ) -> None:
        frontier = make(EAGER)
        frontier.add_urls(*pages("a.test", 9))
        for leases in (frontier.lease(8), frontier.lease(1)):
            assert leases[-1].deadline == clock.now + EAGER.lease_seconds

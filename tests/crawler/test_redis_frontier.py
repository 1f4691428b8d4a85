"""The Redis frontier: the contract, on a real shared."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Iterator

import pytest
from blocking_frontier import Blocking, Clock, Make
from frontier_contract import FrontierContract
from redis_audit import audit
from redis_process import RedisProcess

from crawler.frontier import Policy
from crawler.frontier.redis import RedisFrontier

_names = itertools.count(1)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


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

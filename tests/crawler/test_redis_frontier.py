"""The Redis frontier: the contract, on a real server."""

# ruff: noqa: S311

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Iterator

import pytest
from frontier_contract import Blocking, Clock, FrontierContract, Make
from redis_audit import audit
from redis_process import RedisProcess, needs_redis

from crawler.frontier import Policy
from crawler.frontier.redis import RedisFrontier

_names = itertools.count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    needs_redis()
    with RedisProcess(tmp_path_factory.mktemp("redis")) as server:
        yield server


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
def make(server: RedisProcess, job: str, clock: Clock, runner: asyncio.Runner) -> Iterator[Make]:
    made: list[Blocking] = []

    def make(policy: Policy) -> Blocking:
        opened = RedisFrontier.open(
            server.url, job, policy, clock=clock, rng=random.Random(1), patience=5
        )
        made.append(Blocking(runner.run(opened), runner))
        return made[-1]

    yield make
    for frontier in made:
        frontier.close()
    if made:  # whatever the test did, the counters say what the queues say
        runner.run(audit(server.url, job))


class TestContract(FrontierContract):
    """The Redis frontier keeps the contract."""

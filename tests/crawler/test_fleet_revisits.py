"""Four real workers visit known pages again, while they and their Redis are killed."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from blocking_frontier import accounted, candidates
from loaded_program import ROOT
from redis_audit import audit
from redis_process import RedisProcess
from revisiting_worker import JOB, POLICY

from crawler.frontier import Ack, Stats, Visit
from crawler.frontier.encoding import micro
from crawler.frontier.redis import RedisFrontier

pytestmark = pytest.mark.timeout(300)

HOSTS = [f"h{number}.test" for number in range(8)]
PAGES = 15
TOTAL = PAGES * len(HOSTS)
WORKERS = 4
KILLS = 3


class Fleet:
    """A worker that is killed is started again."""

    def __init__(self, redis: RedisProcess, log: Path) -> None:
        script = str(Path(__file__).with_name("revisiting_worker.py"))
        self._command = [sys.executable, script, redis.url, str(log)]
        self._workers = [self._started() for _ in range(WORKERS)]

    def _started(self) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        return subprocess.Popen(self._command, env=environment)  # noqa: S603 - our own program

    def kill(self, number: int) -> None:
        self._workers[number].kill()
        self._workers[number].wait()
        self._workers[number] = self._started()

    def end(self) -> None:
        """Wait until the run is finished."""
        assert [worker.wait(200) for worker in self._workers] == [0] * WORKERS

    def stop(self) -> None:
        for worker in self._workers:
            worker.kill()
            worker.wait()


async def first_run(url: str) -> None:
    """Every page is known, and due in the run that begins now."""
    async with await RedisFrontier.open(url, JOB, replace(POLICY, delay=0)) as frontier:
        assert await frontier.begin_run()
        await frontier.add([page for host in HOSTS for page in candidates(host, PAGES)])
        while leases := await frontier.lease(100):
            await frontier.ack_all([Ack(lease, "new", Visit(0, "first")) for lease in leases])
        # Due times are in whole seconds.
        await asyncio.sleep(1)
        assert await frontier.begin_run()
        assert (await frontier.stats()).due == TOTAL


async def result(url: str) -> tuple[Stats, list[float]]:
    async with await RedisFrontier.attach(url, JOB) as frontier:
        counts = [(await frontier.counts(host))["visits"] for host in HOSTS]
        return await frontier.stats(), counts


def test_every_known_page_is_visited_once_more_and_politely(
    own: RedisProcess, tmp_path: Path
) -> None:
    log, chance = tmp_path / "visits.log", random.Random(1)
    log.touch()
    asyncio.run(first_run(own.url))
    fleet = Fleet(own, log)
    try:
        for kill in range(1, KILLS + 1):
            while len(log.read_text().splitlines()) < kill * TOTAL // (KILLS + 1):
                time.sleep(0.01)
            fleet.kill(chance.randrange(WORKERS))
            if kill == KILLS // 2:
                own.stop()
                own.start()
        fleet.end()
    finally:
        fleet.stop()
    stats, counts = asyncio.run(result(own.url))
    assert accounted(stats)
    assert (stats.done, stats.outcomes) == (TOTAL, {"new": TOTAL, "again": TOTAL})
    assert counts == [PAGES] * len(HOSTS)
    asyncio.run(audit(own.url, JOB))
    times: defaultdict[str, list[int]] = defaultdict(list)
    pages = set()
    for line in log.read_text().splitlines():
        token, host, page, history = line.split(" ")
        assert history == "first"
        times[host].append(int(token))
        pages.add(page)
    assert len(pages) == TOTAL
    for of_host in times.values():
        between = [later - token for token, later in pairwise(sorted(of_host))]
        assert min(between) >= micro(POLICY.delay)

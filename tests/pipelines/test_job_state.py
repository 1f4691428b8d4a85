"""What is told of a job in Redis is what its workers do."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from benchmarks.redis_process import PROGRAM, RedisProcess
from crawler.frontier import Candidate, Policy
from crawler.frontier.redis import RedisFrontier
from pipelines.reporting.job_state import job_state


@pytest.mark.skipif(PROGRAM is None, reason="no redis-server is installed")
def test_a_job_is_finished_when_nothing_is_left_even_if_a_worker_was_just_heard_of(
    tmp_path: Path,
) -> None:
    async def work(url: str) -> None:
        policy = Policy(delay=0, visits_per_host=2)
        async with await RedisFrontier.open(url, "job", policy) as frontier:

            async def told(*, is_heard: bool) -> str:
                fleet, urls = await frontier.fleet(), await frontier.stats()
                return await job_state(frontier, fleet, urls, is_heard=is_heard)

            async def states() -> tuple[str, str]:
                """While a worker is heard of, and while none is."""
                return await told(is_heard=True), await told(is_heard=False)

            assert await states() == ("running", "idle"), "its seeds are yet to come"
            await frontier.add([Candidate(f"http://a.test/{number}") for number in range(2)])
            assert await states() == ("running", "idle")
            leases = await frontier.lease(2)
            assert await states() == ("running", "running")
            await frontier.ack(leases[0], "kept")
            await frontier.ack(leases[1], "held")
            assert await states() == ("running", "idle"), "a page waits for its site"
            await frontier.recount("worker", 1, {"held": -1, "kept": 1})
            assert await states() == ("finished", "finished")
            await frontier.set_state("paused")
            assert await states() == ("paused", "paused")

    with RedisProcess(tmp_path) as server:
        asyncio.run(work(server.url))

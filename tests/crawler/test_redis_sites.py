"""The marks of sites that a fleet shares: they expire, and leave with their job."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

import pytest
from redis.asyncio import Redis
from redis_process import RedisProcess
from sites_contract import CAPACITY, Run, SitesContract, mark, marks

from crawler.frontier import Candidate, FrontierGoneError
from crawler.frontier.redis import RedisFrontier
from crawler.frontier.redis.export import free
from crawler.frontier.redis.sites import RedisSites
from crawler.frontier.sites import REMEMBERED, SiteStore

_numbers = count()


@pytest.fixture
def run(shared: RedisProcess) -> Run:
    name = f"sites-{next(_numbers)}"

    def run(work: Callable[[SiteStore, SiteStore], Awaitable[Any]]) -> Any:
        async def opened() -> Any:
            async with (
                await RedisFrontier.open(shared.url, name, worker="w1") as first,
                await RedisFrontier.open(shared.url, name, worker="w2") as second,
            ):
                return await work(first.sites(CAPACITY), second.sites(CAPACITY))

        return asyncio.run(opened())

    return run


class TestRedisSites(SitesContract):
    pass


def test_each_use_renews_what_is_known_of_a_site(shared: RedisProcess) -> None:
    async def work() -> list[int]:
        times = []
        async with (
            await RedisFrontier.open(shared.url, "renewed") as frontier,
            Redis.from_url(shared.url) as redis,
        ):
            for sites, new in (
                (RedisSites(frontier.job, CAPACITY, seconds=100), mark(0)),
                (RedisSites(frontier.job, CAPACITY, seconds=300), {}),
                (frontier.sites(CAPACITY), marks(1, 2)),
            ):
                await sites.add("a.test", new)
                times.append(await redis.ttl(frontier.job.key("site:a.test")))
        return times

    first, second, third = asyncio.run(work())
    assert 90 < first <= 100
    assert 290 < second <= 300
    assert REMEMBERED - 10 < third <= REMEMBERED


def test_a_site_that_nobody_visits_is_forgotten(shared: RedisProcess) -> None:
    async def work() -> tuple[list[bytes], list[bytes]]:
        async with await RedisFrontier.open(shared.url, "forgotten") as frontier:
            sites = RedisSites(frontier.job, CAPACITY, seconds=1)
            full = await sites.add("a.test", marks(0, 1, 2))
            async with asyncio.timeout(20):
                while await sites.all("a.test"):
                    await asyncio.sleep(0.1)
            return full, await sites.add("a.test", mark(3))

    full, after = asyncio.run(work())
    assert (len(full), after) == (CAPACITY, [])


def test_sites_leave_redis_with_their_job(shared: RedisProcess) -> None:
    async def work() -> list[bytes]:
        async with await RedisFrontier.open(shared.url, "left", worker="w") as frontier:
            await frontier.add([Candidate("http://a.test/")])
            (lease,) = await frontier.lease(1)
            await frontier.sites(CAPACITY).add("a.test", mark(0))
            await frontier.ack(lease, "held")
            await frontier.recount("w", 1, {"held": -1, "kept": 1})
            await free(frontier, {})
        async with Redis.from_url(shared.url) as redis:
            keys = [key async for key in redis.scan_iter("crawl:{left}:*")]
            return [key for key in keys if b":calls:" not in key]

    assert asyncio.run(work()) == []


def test_marks_of_a_job_that_is_gone_are_not_added(shared: RedisProcess) -> None:
    async def work() -> None:
        async with await RedisFrontier.open(shared.url, "gone") as frontier:
            await free(frontier, {})
            with pytest.raises(FrontierGoneError):
                await frontier.sites(CAPACITY).add("a.test", mark(0))

    asyncio.run(work())

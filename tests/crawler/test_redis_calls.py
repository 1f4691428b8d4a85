"""What a call to Redis may take: while it runs, no other worker is served."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest
from blocking_frontier import EAGER, candidates
from redis.asyncio import Redis
from redis_process import RedisProcess

from crawler.frontier import Ack
from crawler.frontier.redis import RedisFrontier
from crawler.frontier.redis import frontier as calls
from crawler.frontier.redis.job import RedisJob


def test_a_call_gives_out_so_many_urls_however_many_are_asked_for(shared: RedisProcess) -> None:
    async def work() -> list[int]:
        async with await RedisFrontier.open(shared.url, "many", EAGER) as frontier:
            await frontier.add(candidates("a.test", 600))
            return [len(await frontier.lease(10**9)) for _ in range(3)]

    assert asyncio.run(work()) == [500, 100, 0]


def test_calls_of_a_kind_whose_last_answer_is_kept_follow_one_another(
    shared: RedisProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that calls several at once could not have all their answers again."""
    at_once: Counter[str] = Counter()

    async def work() -> None:
        async with await RedisFrontier.open(shared.url, "turns", EAGER) as frontier:
            call = frontier.job.call

            async def watched(name: str, *arguments: Any) -> Any:
                at_once[name] += 1
                assert at_once[name] == 1
                try:
                    return await call(name, *arguments)
                finally:
                    at_once[name] -= 1

            monkeypatch.setattr(frontier.job, "call", watched)
            await asyncio.gather(*(frontier.add(candidates(f"{n}.test", 3)) for n in range(5)))
            five = await asyncio.gather(*(frontier.lease(3) for _ in range(5)))
            done, others = [leases[0] for leases in five], [leases[1:] for leases in five]
            await asyncio.gather(
                *(frontier.ack(lease, "kept") for lease in done),
                *(frontier.release(lease, reason="timeout") for lease in chain(*others)),
                *(frontier.count_received(1) for _ in range(5)),
                *(frontier.purge_dead() for _ in range(5)),
            )
            monkeypatch.setattr(frontier.job, "call", call)
            stats = await frontier.stats()
            assert (stats.added, stats.done, stats.waiting, stats.received) == (15, 5, 10, 5)

    asyncio.run(work())
    assert at_once.keys() == {"add", "lease", "ack", "release", "received", "dead"}


def test_a_retry_ends_also_if_all_that_it_puts_back_dies_again_at_once(
    shared: RedisProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "_BATCH", 2)

    async def work() -> None:
        mortal = replace(EAGER, tries=1)
        async with await RedisFrontier.open(shared.url, "mortal", mortal) as frontier:

            async def die() -> None:
                while leases := await frontier.lease(9):
                    for lease in leases:
                        await frontier.release(lease, reason="gone")

            call, portions = frontier.job.call, []

            async def call_and_die(name: str, *arguments: Any) -> Any:
                answer = await call(name, *arguments)
                if name == "dead":
                    portions.append(answer)
                    assert len(portions) < 9
                    await die()
                return answer

            await frontier.add(candidates("a.test", 5))
            await die()
            monkeypatch.setattr(frontier.job, "call", call_and_die)
            assert await frontier.retry_dead() == 5
            stats = await frontier.stats()
            assert (stats.dead, stats.queued) == (5, 0)

    asyncio.run(work())


def test_no_dead_url_of_another_host_is_looked_at_twice(
    shared: RedisProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "_BATCH", 2)
    portions: list[str] = []

    async def work() -> None:
        mortal = replace(EAGER, tries=1)
        async with await RedisFrontier.open(shared.url, "hosts", mortal) as frontier:
            for host, urls in (("a.test", 6), ("b.test", 1)):
                await frontier.add(candidates(host, urls))
                while leases := await frontier.lease(9):
                    for lease in leases:
                        await frontier.release(lease, reason="gone")
            assert len(await frontier.dead_letters(host="b.test")) == 1
            call = frontier.job.call

            async def watched(name: str, *arguments: Any) -> Any:
                portions.append(name)
                return await call(name, *arguments)

            monkeypatch.setattr(frontier.job, "call", watched)
            assert await frontier.retry_dead("b.test") == 1

    asyncio.run(work())
    # The fifth finds nothing.
    assert portions == ["dead"] * 5


def test_all_hosts_are_seen_again_once_for_each_change_of_the_limits(
    shared: RedisProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    call = RedisJob.call

    async def watched(job: RedisJob, name: str, *arguments: Any) -> Any:
        seen[-1] += name == "reopen"
        return await call(job, name, *arguments)

    monkeypatch.setattr(RedisJob, "call", watched)

    async def work() -> None:
        for pages in (1, 2, 2, 3, 3):
            seen.append(0)
            policy = replace(EAGER, pages_per_host=pages)
            async with await RedisFrontier.open(shared.url, "reopened", policy) as frontier:
                await frontier.add(candidates("a.test", 1))

    asyncio.run(work())
    # One names the host, and one ends it.
    assert seen == [0, 2, 0, 2, 0]


def test_hosts_are_looked_at_in_portions_and_all_of_them(shared: RedisProcess) -> None:
    async def work() -> None:
        async with await RedisFrontier.open(shared.url, "thousands", EAGER) as frontier:
            names = [f"{number}.test" for number in range(2_000)]
            await frontier.add(one for name in names for one in candidates(name, 1))
            await frontier.add(candidates("77.test", 3))
            async with asyncio.timeout(30):
                assert {host.host for host in await frontier.hosts(9_999)} == set(names)
                (busiest,) = await frontier.hosts(1)
            assert (busiest.host, busiest.queued) == ("77.test", 3)

    asyncio.run(work())


def test_a_host_whose_urls_are_gone_holds_up_no_other(shared: RedisProcess) -> None:
    """Redis, or somebody, has dropped their key."""

    async def work() -> None:
        async with (
            await RedisFrontier.open(shared.url, "dropped", EAGER) as frontier,
            Redis.from_url(shared.url) as redis,
        ):
            await frontier.add([*candidates("a.test", 3), *candidates("b.test", 3)])
            (queue,) = [key async for key in redis.scan_iter(frontier.job.key("queue:*:a.test"))]
            await redis.delete(queue)
            async with asyncio.timeout(30):
                leases = await frontier.lease(9)
            assert {lease.host for lease in leases} == {"b.test"}
            await frontier.ack_all([Ack(lease, "kept") for lease in leases])
            assert await frontier.finished()

    asyncio.run(work())

"""What is kept of a job when it leaves Redis, and its removal."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import pytest
from blocking_frontier import EAGER, pages
from redis.asyncio import Redis
from redis_process import RedisProcess

from crawler.frontier import Ack, Candidate, FrontierError, Policy, Visit
from crawler.frontier.fleet import State
from crawler.frontier.redis import RedisFrontier, export
from crawler.frontier.redis.export import exported, free, return_expired


def pages_of(host: str, count: int) -> list[Candidate]:
    return [Candidate(url) for url in pages(host, count)]


def test_every_url_that_is_not_done_is_exported(shared: RedisProcess) -> None:
    async def work() -> list[Any]:
        async with await RedisFrontier.open(shared.url, "whole", EAGER) as frontier:
            await frontier.add(pages_of("a.test", 4))
            await frontier.add([Candidate("http://b.test/", depth=3, priority=2, note="a b")])
            *failed, leased, done = await frontier.lease(5)
            for lease in failed:
                await frontier.release(lease, reason="timeout")
            await frontier.ack(done, "kept")
            await frontier.add(pages_of("c.test", 1))
            assert leased.host != "b.test" != done.host
            return [line async for line in exported(frontier)]

    lines = asyncio.run(work())
    kinds = Counter(kind for line in lines for kind in line)
    assert kinds == {"stats": 1, "leased": 1, "waiting": 3, "queued": 1, "host": 3}
    urls = [url for line in lines for kind, url in line.items() if kind not in ("stats", "host")]
    assert len({url["url"] for url in urls}) == 5
    seed = next(url for url in urls if url["url"] == "http://b.test/")
    del seed["url"]
    place = {"depth": 3, "priority": 2, "attempts": 1}
    assert seed == place | {"note": "a b", "kind": "", "history": ""}


def test_what_will_be_visited_again_is_exported_with_its_history(shared: RedisProcess) -> None:
    async def work() -> list[Any]:
        async with await RedisFrontier.open(shared.url, "known", EAGER) as frontier:
            await frontier.add([Candidate("http://b.test/", depth=3, note="a b", kind="feed")])
            await frontier.ack((await frontier.lease(1))[0], "kept", visit=Visit(6400, "h i"))
            return [line["known"] async for line in exported(frontier) if "known" in line]

    (known,) = asyncio.run(work())
    assert known["url"] == "http://b.test/"
    assert (known["note"], known["kind"], known["history"]) == ("a b", "feed", "h i")
    assert 0 <= known["due_at"] - known["visited_at"] - 6400 <= 200


def test_a_job_is_freed_once_all_of_it_is_exported(shared: RedisProcess) -> None:
    async def kinds_of(frontier: RedisFrontier) -> Counter[str]:
        return Counter([kind async for line in exported(frontier) for kind in line])

    async def work() -> list[bytes]:
        mortal = Policy(delay=0, visits_per_host=999, tries=2)
        async with await RedisFrontier.open(shared.url, "past", mortal) as frontier:
            await frontier.add(pages_of("a.test", 1201))
            leases = await frontier.lease(3)
            with pytest.raises(FrontierError, match="hold leases"):
                await free(frontier, await kinds_of(frontier))
            await frontier.ack(leases[0], "kept", visit=Visit(60, "h"), counts={"n": 1})
            await frontier.release(leases[1], reason="gone", retry_after=0)
            await frontier.release((await frontier.lease(1))[0], reason="gone")
            before = await kinds_of(frontier)
            await frontier.release(leases[2], reason="timeout")
            for missing in ({}, before, {"waiting": 1, "queued": 1198}):
                with pytest.raises(FrontierError, match="1199 URLs queued, 1 dead and 1 to be"):
                    await free(frontier, missing)
            written = await kinds_of(frontier)
            assert written == Counter(stats=1, waiting=1, queued=1198, known=1, host=1, dead=1)
            await free(frontier, written)
            with pytest.raises(FrontierError, match="no longer has the job"):
                await frontier.lease(1)
        async with Redis.from_url(shared.url) as redis:
            return [
                key async for key in redis.scan_iter("crawl:{past}:*") if await redis.ttl(key) < 0
            ]

    assert asyncio.run(work()) == []


def test_leases_of_killed_workers_keep_no_job_from_its_removal(shared: RedisProcess) -> None:
    def long_ago() -> float:
        return time.time() - 2 * EAGER.lease_seconds

    async def work() -> Counter[str]:
        killed = await RedisFrontier.open(shared.url, "killed", EAGER, worker="w1", clock=long_ago)
        await killed.add(pages_of("a.test", 1200))
        await killed.lease(500)
        await killed.lease(500)
        await killed.job.server.close()
        async with await RedisFrontier.open(shared.url, "killed", EAGER, worker="w2") as late:
            assert (await late.fleet()).leases == {}
            # This returns some of the others.
            await late.lease(1)
            async with await RedisFrontier.attach(shared.url, "killed") as operator:
                await return_expired(operator)
                stats = await operator.stats()
                assert (stats.queued, stats.leased) == (1199, 1)
                assert (await operator.fleet()).leases == {"w2": 1}
        async with await RedisFrontier.attach(shared.url, "killed") as operator:
            written = Counter([kind async for line in exported(operator) for kind in line])
            await free(operator, written)
            return written

    assert asyncio.run(work()) == Counter(stats=1, queued=1200, host=1)


@pytest.mark.parametrize("is_done", [False, True])
def test_a_job_of_which_a_worker_took_a_url_at_the_last_moment_is_stopped_and_kept(
    shared: RedisProcess, monkeypatch: pytest.MonkeyPatch, *, is_done: bool
) -> None:
    """Between the look at its leases and its stop."""
    job = f"late-{is_done}"

    async def work() -> None:
        async with (
            await RedisFrontier.open(shared.url, job, EAGER, worker="w1") as worker,
            await RedisFrontier.attach(shared.url, job) as operator,
        ):
            await worker.add(pages_of("a.test", 3))
            stop = operator.set_state

            async def stop_late(state: State) -> None:
                (lease,) = await worker.lease(1)
                if is_done:
                    await worker.ack(lease, "kept")
                await stop(state)

            monkeypatch.setattr(operator, "set_state", stop_late)
            with pytest.raises(FrontierError, match="2 URLs queued" if is_done else "hold leases"):
                await free(operator, {"queued": 3})
            assert await worker.stopped()
            stats = await worker.stats()
            assert (stats.queued, stats.leased, stats.done) == (2, not is_done, is_done)

    asyncio.run(work())


def test_a_job_that_is_begun_anew_has_the_speed_of_its_own_life(shared: RedisProcess) -> None:
    async def work() -> float:
        for _ in range(2):
            async with await RedisFrontier.open(shared.url, "anew", EAGER) as frontier:
                speed = (await frontier.fleet()).per_minute
                await frontier.add(pages_of("a.test", 9))
                await frontier.ack_all([Ack(lease, "kept") for lease in await frontier.lease(9)])
                await free(frontier, {})
        return speed

    assert asyncio.run(work()) == 0


def test_of_two_who_remove_a_job_at_once_the_second_ends_in_order(
    shared: RedisProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with (
            await RedisFrontier.open(shared.url, "both", EAGER) as first,
            await RedisFrontier.attach(shared.url, "both") as second,
        ):
            await first.add(pages_of("a.test", 3))
            late = exported(second)
            # Its hosts are read.
            await anext(line async for line in late if "queued" in line)
            hosts = second.job.host_names

            async def too_late() -> AsyncIterator[list[str]]:
                await free(first, {"queued": 3})
                async for names in hosts():
                    yield names

            monkeypatch.setattr(second.job, "host_names", too_late)
            await free(second, {"queued": 3})
            with pytest.raises(FrontierError, match="no longer has the job"):
                async for _ in late:
                    pass
            with pytest.raises(FrontierError, match="no longer has the job"):
                await second.fleet()

    asyncio.run(work())


def test_a_removal_that_was_interrupted_is_ended(
    shared: RedisProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def killed(*_: object) -> list[int]:
        raise KeyboardInterrupt

    async def go_on(written: dict[str, int]) -> None:
        async with await RedisFrontier.attach(shared.url, "half") as frontier:
            assert await frontier.is_freed() == (not written)
            await free(frontier, written)

    async def begin() -> None:
        async with await RedisFrontier.open(shared.url, "half") as frontier:
            await frontier.add(pages_of("a.test", 3))

    async def export_again() -> None:
        async with await RedisFrontier.attach(shared.url, "half") as frontier:
            assert await frontier.stopped()
            await anext(exported(frontier))

    asyncio.run(begin())
    monkeypatch.setattr(export, "_ranks", killed)
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(go_on({"queued": 3}))
    monkeypatch.undo()
    with pytest.raises(FrontierError, match="the removal of job 'half' has begun"):
        asyncio.run(export_again())
    asyncio.run(go_on({}))
    with pytest.raises(FrontierError, match="has no job 'half'"):
        asyncio.run(go_on({}))

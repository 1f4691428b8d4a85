"""What only a frontier in Redis can go through: many workers, steering."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from blocking_frontier import EAGER, Clock, candidates
from redis.asyncio import Redis
from redis_audit import audit
from redis_process import RedisProcess

from crawler.frontier import Ack, FrontierError, Policy
from crawler.frontier.lease_holder import LeaseHolder
from crawler.frontier.redis import RedisFrontier
from crawler.frontier.redis.job import RedisJob

# Failures come back at once, so that a test need not wait.
QUICK = Policy(delay=0, visits_per_host=1000, first_backoff=0)


async def one_page_of(frontier: RedisFrontier, count: int) -> None:
    """Add so many URLs of a host, of which one becomes a page."""
    await frontier.add(candidates("a.test", count))
    await frontier.ack((await frontier.lease(9))[0], "kept", page=True)


def _killed_there(changes: list[int]) -> Callable[[RedisJob, int], Awaitable[None]]:
    """In the place of a method: the worker comes no further, but for what was asked of it."""

    async def killed(_: RedisJob, change: int) -> None:
        changes.append(change)

    return killed


class TestManyWorkers:
    def test_each_url_is_done_by_one_of_them(self, shared: RedisProcess) -> None:
        async def worker(number: int, done: list[str]) -> None:
            frontier = await RedisFrontier.open(shared.url, "many", QUICK, worker=f"w{number}")
            async with frontier:
                await frontier.add(
                    candidate for host in range(8) for candidate in candidates(f"h{host}.test", 25)
                )
                while not await frontier.finished():
                    leases = await frontier.lease(3)
                    done += [lease.url for lease in leases]
                    await frontier.ack_all([Ack(lease, "kept") for lease in leases])

        async def work() -> list[str]:
            done: list[str] = []
            await asyncio.gather(*(worker(number, done) for number in range(4)))
            return done

        done = asyncio.run(work())
        assert len(done) == len(set(done)) == 200
        asyncio.run(audit(shared.url, "many"))

    def test_a_hosts_delay_holds_for_all_of_them(self, shared: RedisProcess) -> None:
        policy = Policy(delay=0.1)
        visits: list[float] = []

        async def worker(number: int) -> None:
            frontier = await RedisFrontier.open(shared.url, "polite", policy, worker=f"w{number}")
            async with frontier:
                await frontier.add(candidates("a.test", 6))
                while not await frontier.finished():
                    for lease in await frontier.lease(3):
                        visits.append(time.monotonic())
                        await frontier.ack(lease, "kept")
                    await asyncio.sleep(0.005)

        async def work() -> None:
            await asyncio.gather(*(worker(number) for number in range(3)))

        asyncio.run(work())
        assert len(visits) == 6
        # The answer of the script that leased may have been on its way for some milliseconds.
        assert visits[-1] - visits[0] >= 5 * 0.1 - 0.02

    def test_what_one_held_that_ended_comes_back_and_what_others_hold_does_not(
        self, shared: RedisProcess
    ) -> None:
        async def work() -> None:
            async with await RedisFrontier.open(shared.url, "ends", QUICK, worker="stays") as stays:
                await stays.add(candidates("a.test", 5))
                (kept,) = await stays.lease(1)
                async with await RedisFrontier.open(shared.url, "ends", QUICK, worker="goes") as it:
                    held = await it.lease(3)
                    assert (await stays.fleet()).leases == {"stays": 1, "goes": 3}
                again = await stays.lease(9)
                assert [lease.url for lease in again[:3]] == [lease.url for lease in held]
                assert {lease.attempt for lease in again} == {1}
                assert await stays.ack(kept, "kept")

        asyncio.run(work())

    def test_all_know_how_often_a_host_has_failed(self, shared: RedisProcess) -> None:
        async def work() -> None:
            async with (
                await RedisFrontier.open(shared.url, "fails", QUICK, worker="w1") as first,
                await RedisFrontier.open(shared.url, "fails", QUICK, worker="w2") as second,
            ):
                await first.add(candidates("a.test", 3))
                for worker, failures in ((first, 0), (second, 1), (first, 2)):
                    (lease,) = await worker.lease(1)
                    assert lease.host_failures == failures
                    assert await worker.set_failures("a.test", failures, failures + 1)

        asyncio.run(work())

    def test_so_does_what_was_on_its_way_to_one_that_ended(self, own: RedisProcess) -> None:
        async def work() -> None:
            async with (
                Redis.from_url(own.url) as redis,
                await RedisFrontier.open(own.url, "job", QUICK) as frontier,
            ):
                await frontier.add(candidates("a.test", 5))
                await redis.client_pause(300)
                leasing = asyncio.create_task(frontier.lease(2))
                await asyncio.sleep(0.05)
                leasing.cancel()
                await frontier.close()
                async with await RedisFrontier.attach(own.url, "job") as attached:
                    stats = await attached.stats()
                    assert (stats.leased, stats.queued) == (0, 5)
                (calls,) = [key async for key in redis.scan_iter("crawl:{job}:calls:*")]
                assert {b"lease", b"release"} <= set(await redis.hkeys(calls))

        asyncio.run(work())

    def test_an_end_does_not_wait_long_for_a_server_that_is_gone(
        self, own: RedisProcess, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("crawler.frontier.redis.frontier._IMPATIENCE", 1.0)

        async def work() -> float:
            frontier = await RedisFrontier.open(own.url, "job", QUICK)
            own.stop()
            leasing = asyncio.create_task(frontier.lease(1))
            await asyncio.sleep(0.05)
            leasing.cancel()
            began = time.monotonic()
            with contextlib.suppress(FrontierError):
                await frontier.close()
            return time.monotonic() - began

        assert asyncio.run(work()) < 10

    def test_the_limits_of_who_came_last_hold(self, shared: RedisProcess) -> None:
        async def work() -> None:
            one = Policy(delay=0, visits_per_host=9, pages_per_host=1)
            async with await RedisFrontier.open(shared.url, "limits", one) as frontier:
                await one_page_of(frontier, 3)
                assert await frontier.finished()
            two = Policy(delay=0, visits_per_host=9, pages_per_host=2)
            async with await RedisFrontier.open(shared.url, "limits", two) as frontier:
                assert not await frontier.finished()
                assert len(await frontier.lease(9)) == 1

        asyncio.run(work())

    def test_they_hold_also_if_that_one_was_killed_before_it_had_seen_all_hosts(
        self, shared: RedisProcess, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        one, ten = (Policy(delay=0, visits_per_host=9, pages_per_host=n) for n in (1, 10))

        async def work() -> None:
            async with await RedisFrontier.open(shared.url, "killed", one) as frontier:
                await one_page_of(frontier, 5)
            with monkeypatch.context() as patch:
                patch.setattr(RedisJob, "reopen_hosts", _killed_there([]))
                await (await RedisFrontier.open(shared.url, "killed", ten)).close()
            async with await RedisFrontier.open(shared.url, "killed", ten) as frontier:
                assert not await frontier.finished()
                assert len(await frontier.lease(9)) == 4

        asyncio.run(work())

    def test_who_has_seen_all_hosts_says_so_of_no_later_change(
        self, shared: RedisProcess, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        changes: list[int] = []
        monkeypatch.setattr(RedisJob, "reopen_hosts", _killed_there(changes))

        async def begin(pages_per_host: int, *, seen: int) -> None:
            policy = Policy(pages_per_host=pages_per_host)
            async with await RedisFrontier.open(shared.url, "changes", policy) as frontier:
                await frontier.job.call("reopen", seen)

        async def work() -> None:
            await begin(1, seen=0)
            await begin(2, seen=0)
            await begin(3, seen=1)
            await begin(3, seen=2)
            assert changes == [1, 2, 2]
            for _ in range(2):
                await begin(3, seen=0)
            assert changes == [1, 2, 2]

        asyncio.run(work())

    def test_the_bytes_of_all_of_them_are_counted(self, shared: RedisProcess) -> None:
        policy = Policy(delay=0, visits_per_host=9, total_size=100)

        async def work() -> None:
            async with (
                await RedisFrontier.open(shared.url, "bytes", policy, worker="w1") as one,
                await RedisFrontier.open(shared.url, "bytes", policy, worker="w2") as other,
            ):
                await one.add(candidates("a.test", 3))
                await one.count_received(60)
                assert not await other.finished()
                await other.count_received(60)
                assert await one.lease(1) == []
                assert await one.finished()
                assert (await one.stats()).received == 120

        asyncio.run(work())

    def test_they_are_told_of_a_scope_that_another_has_brought(
        self, shared: RedisProcess, caplog: pytest.LogCaptureFixture
    ) -> None:
        async def joined(worker: str, scope: str) -> RedisFrontier:
            return await RedisFrontier.open(shared.url, "scopes", QUICK, worker=worker, scope=scope)

        async def work() -> list[bool]:
            async with await joined("first", "12e45") as first:
                await first.add(candidates("a.test", 3))
                told = []
                for scope in ("12e45", "", "120e44", "120e44", "12e45"):
                    async with await joined("other", scope):
                        await first.lease(1)
                        told.append(first.has_new_scope)
                return told

        assert asyncio.run(work()) == [False, False, True, True, False]
        assert caplog.text.count("a worker has joined the job scopes") == 1

    def test_who_brings_another_scope_is_told_what_it_will_settle(
        self, shared: RedisProcess, caplog: pytest.LogCaptureFixture
    ) -> None:
        async def opened(scope: str) -> RedisFrontier:
            return await RedisFrontier.open(shared.url, "known", QUICK, scope=scope)

        async def work() -> None:
            async with await opened("a") as first:
                await first.add(candidates("a.test", 3))
                await first.lease(1)
                for scope in ("a", ""):
                    await (await opened(scope)).close()
                assert "already exists" not in caplog.text
                async with await opened("b") as second:
                    assert "the job known already exists, with another scope" in caplog.text
                    assert "of its URLs that are not done (3)" in caplog.text
                    caplog.clear()
                    await first.close()
                    await second.ack_all([Ack(lease, "kept") for lease in await second.lease(9)])
            await (await opened("a")).close()
            assert "already exists" not in caplog.text

        asyncio.run(work())

    def test_also_of_what_waits_out_a_failure(
        self, shared: RedisProcess, caplog: pytest.LogCaptureFixture
    ) -> None:
        async def work() -> None:
            async with await RedisFrontier.open(shared.url, "waits", QUICK, scope="a") as first:
                await first.add(candidates("a.test", 1))
                await first.release((await first.lease(1))[0], reason="timeout", retry_after=60)
            await (await RedisFrontier.open(shared.url, "waits", QUICK, scope="b")).close()

        asyncio.run(work())
        assert "of its URLs that are not done (1), those outside" in caplog.text

    def test_leases_live_as_long_as_who_came_last_says(self, shared: RedisProcess) -> None:
        async def work() -> None:
            clock = Clock()
            opened = await RedisFrontier.open(
                shared.url, "lives", replace(QUICK, lease_seconds=300), clock=clock
            )
            async with LeaseHolder(opened, clock=clock) as frontier:
                await frontier.add(candidates("a.test", 2))
                (first,) = await frontier.lease(1)
                for seconds in (10, 40):
                    policy = replace(QUICK, lease_seconds=seconds)
                    other = await RedisFrontier.open(shared.url, "lives", policy, clock=clock)
                    await other.close()
                    (renewed,) = await frontier.renew([first])
                    assert renewed.deadline == clock.now + seconds
                    clock.pass_(seconds - 1)
                    assert frontier.holds(first)
                    clock.pass_(1)
                    assert not frontier.holds(first)

        asyncio.run(work())

    def test_shorter_leases_are_renewed_in_time(self, shared: RedisProcess) -> None:
        async def work() -> None:
            long, short = (replace(QUICK, lease_seconds=seconds) for seconds in (3000, 300))
            opened = await RedisFrontier.open(shared.url, "short", long)
            async with LeaseHolder(opened) as frontier:
                await frontier.add(candidates("a.test", 2))
                await frontier.lease(1)
                frontier.start()
                await (await RedisFrontier.open(shared.url, "short", short)).close()
                await frontier.lease(1)
                frontier.changed.clear()
                async with asyncio.timeout(60):
                    await frontier.changed.wait()

        asyncio.run(work())

    def test_jobs_do_not_see_each_other(self, shared: RedisProcess) -> None:
        async def work() -> None:
            async with (
                await RedisFrontier.open(shared.url, "one", QUICK) as one,
                await RedisFrontier.open(shared.url, "two", QUICK) as two,
            ):
                await one.add(candidates("a.test", 2))
                assert await two.finished()
                assert await two.add(candidates("a.test", 2)) == 2

        asyncio.run(work())


class TestSteering:
    def test_a_paused_job_gives_nothing_out_until_it_is_resumed(self, shared: RedisProcess) -> None:
        async def work() -> None:
            async with await RedisFrontier.open(shared.url, "paused", QUICK) as frontier:
                await frontier.add(candidates("a.test", 2))
                async with await RedisFrontier.attach(shared.url, "paused") as attached:
                    await attached.set_state("paused")
                    assert await frontier.lease(9) == []
                    assert await frontier.lease_in() is None
                    assert not await frontier.finished()
                    await attached.set_state("running")
                assert len(await frontier.lease(9)) == 2

        asyncio.run(work())

    def test_a_stopped_job_is_not_finished_and_says_so(self, shared: RedisProcess) -> None:
        async def work() -> None:
            async with await RedisFrontier.open(shared.url, "stopped", QUICK) as frontier:
                await frontier.add(candidates("a.test", 2))
                assert not await frontier.stopped()
                await frontier.set_state("stopped")
                assert await frontier.lease(9) == []
                assert await frontier.stopped()
                assert not await frontier.finished()
                assert (await frontier.stats()).queued == 2
                await frontier.set_state("running")
                assert not await frontier.stopped()
                assert len(await frontier.lease(9)) == 2

        asyncio.run(work())

    @pytest.mark.parametrize("set_back", [0, 3600], ids=["as ever", "clock set back"])
    def test_its_speed_is_known_from_the_first_minute_on(
        self, shared: RedisProcess, set_back: int
    ) -> None:
        name = f"speed-{set_back}"

        async def work() -> None:
            async with (
                await RedisFrontier.open(shared.url, name, QUICK) as frontier,
                Redis.from_url(shared.url) as redis,
            ):
                last_lease = time.time() + set_back
                await redis.hset(frontier.job.key("job"), "token", round(last_lease * 1_000_000))
                await frontier.add(candidates("a.test", 30))
                assert (await frontier.fleet()).per_minute == 0
                await frontier.ack_all([Ack(lease, "kept") for lease in await frontier.lease(30)])
                assert 30 <= (await frontier.fleet()).per_minute <= 30 * 60
                began = time.time() - 300
                await redis.hset(frontier.job.key("job"), "began", round(began * 1_000_000))
                assert (await frontier.fleet()).per_minute == pytest.approx(6, rel=0.1)
                minutes = [key async for key in redis.scan_iter(frontier.job.key("minute:*"))]
                assert all([await redis.ttl(minute) > 600 for minute in minutes])

        asyncio.run(work())


class TestMemory:
    def test_a_seen_url_takes_less_than_12_bytes_while_the_buckets_grow(
        self, shared: RedisProcess
    ) -> None:
        async def work() -> float:
            async with await RedisFrontier.open(shared.url, "seen", EAGER) as frontier:
                await frontier.add(candidates("a.test", 20_000))
                async with Redis.from_url(shared.url) as redis:
                    keys = [key async for key in redis.scan_iter("crawl:{seen}:seen:*", 1000)]
                    return sum([await redis.memory_usage(key) for key in keys]) / 20_000

        assert asyncio.run(work()) < 12
        asyncio.run(audit(shared.url, "seen"))

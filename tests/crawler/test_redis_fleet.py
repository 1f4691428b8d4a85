"""What only a frontier in Redis can go through: many workers, a server in trouble, steering."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from frontier_contract import EAGER, pages
from redis.asyncio import Redis
from redis_audit import audit
from redis_process import RedisProcess, needs_redis

from crawler.frontier import Candidate, FrontierError, Policy
from crawler.frontier.redis import RedisFrontier
from crawler.frontier.redis.job import RedisJob
from crawler.frontier.redis.scripts import script

# Failures come back at once, so that a test need not wait.
QUICK = Policy(delay=0, visits_per_host=1000, first_backoff=0)


def candidates(host: str, count: int) -> list[Candidate]:
    return [Candidate(url) for url in pages(host, count)]


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
                    await frontier.ack_all([(lease, "kept") for lease in leases])

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
                patch.setattr(RedisJob, "_reopen_hosts", _killed_there([]))
                await (await RedisFrontier.open(shared.url, "killed", ten)).close()
            async with await RedisFrontier.open(shared.url, "killed", ten) as frontier:
                assert not await frontier.finished()
                assert len(await frontier.lease(9)) == 4

        asyncio.run(work())

    def test_who_has_seen_all_hosts_says_so_of_no_later_change(
        self, shared: RedisProcess, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        changes: list[int] = []
        monkeypatch.setattr(RedisJob, "_reopen_hosts", _killed_there(changes))

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

    def test_its_speed_is_known_from_the_first_minute_on(self, shared: RedisProcess) -> None:
        async def work() -> None:
            async with await RedisFrontier.open(shared.url, "speed", QUICK) as frontier:
                await frontier.add(candidates("a.test", 30))
                assert (await frontier.fleet()).per_minute == 0
                await frontier.ack_all([(lease, "kept") for lease in await frontier.lease(30)])
                assert 30 <= (await frontier.fleet()).per_minute <= 30 * 60
                began = time.time() - 300
                async with Redis.from_url(shared.url) as redis:
                    await redis.hset("crawl:{speed}:job", "began", round(began * 1_000_000))
                assert (await frontier.fleet()).per_minute == pytest.approx(6, rel=0.1)

        asyncio.run(work())


class TestServer:
    def test_a_call_waits_for_a_server_that_is_started_anew(
        self, own: RedisProcess, caplog: pytest.LogCaptureFixture
    ) -> None:
        async def work() -> None:
            async with await RedisFrontier.open(own.url, "job", QUICK) as frontier:
                await frontier.add(candidates("a.test", 3))
                (lease,) = await frontier.lease(1)
                own.stop()
                timer = threading.Timer(0.5, own.start)
                timer.start()
                assert await frontier.ack(lease, "kept")
                timer.join()
                assert (await frontier.stats()).done == 1
                (next_lease,) = await frontier.lease(1)
                assert next_lease.token > lease.token

        with caplog.at_level(logging.WARNING):
            asyncio.run(work())
        said = [record.getMessage() for record in caplog.records]
        assert "the crawl waits" in said[0]
        assert "the crawl goes on" in said[-1]
        asyncio.run(audit(own.url, "job"))

    def test_a_call_whose_answer_was_lost_happens_once(self, shared: RedisProcess) -> None:
        async def work() -> None:
            async with await RedisFrontier.open(shared.url, "lost", QUICK) as frontier:
                job = frontier.job
                await frontier.add(candidates("a.test", 3))
                for name, arguments in (("lease", [2]), ("lease", [2])):
                    call = ["", "worker-1:again", 7, *arguments]
                    answers = {
                        await job.server.call(script(name), job.key("job"), call) for _ in range(3)
                    }
                    assert len(answers) == 1
                assert (await frontier.stats()).leased == 2

        asyncio.run(work())

    def test_a_full_memory_is_waited_out(
        self, own: RedisProcess, caplog: pytest.LogCaptureFixture
    ) -> None:
        async def work() -> None:
            async with (
                await RedisFrontier.open(own.url, "job", QUICK) as frontier,
                Redis.from_url(own.url) as redis,
            ):
                await frontier.add(candidates("a.test", 3))
                await redis.config_set("maxmemory", 1)
                adding = asyncio.create_task(frontier.add(candidates("b.test", 3)))
                await asyncio.sleep(0.3)
                assert not adding.done()
                assert (await frontier.stats()).added == 3
                await redis.config_set("maxmemory", 0)
                assert await adding == 3

        asyncio.run(work())
        assert "memory" in caplog.text

    def test_patience_has_an_end(self, own: RedisProcess) -> None:
        async def work() -> None:
            frontier = await RedisFrontier.open(own.url, "job", QUICK, patience=0.5)
            async with frontier:
                own.stop()
                with pytest.raises(FrontierError, match=r"has not answered well.*Nothing is lost"):
                    await frontier.lease(1)
                own.start()

        asyncio.run(work())

    def test_a_server_that_forgot_the_job_is_named(self, tmp_path: Path) -> None:
        needs_redis()

        async def work(server: RedisProcess) -> None:
            frontier = await RedisFrontier.open(server.url, "job", QUICK)
            await frontier.add(candidates("a.test", 3))
            server.stop()
            server.start()
            with pytest.raises(FrontierError, match="without what it had"):
                await frontier.lease(1)
            await frontier.close()

        with RedisProcess(tmp_path) as server:
            asyncio.run(work(server))

    def test_a_server_that_throws_keys_away_is_refused(self, tmp_path: Path) -> None:
        needs_redis()
        options = ("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
        with (
            RedisProcess(tmp_path, *options) as server,
            pytest.raises(FrontierError, match="noeviction"),
        ):
            asyncio.run(RedisFrontier.open(server.url, "job"))


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

"""A frontier in Redis while its server is away, full, or not what it was."""

from __future__ import annotations

import asyncio
import itertools
import logging
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from blocking_frontier import candidates
from redis.asyncio import Redis
from redis_audit import audit
from redis_process import RedisProcess, needs_redis

from crawler.frontier import FrontierError, Policy
from crawler.frontier.redis import RedisFrontier
from crawler.frontier.redis.export import free, return_expired
from crawler.frontier.redis.frontier import PATIENCE
from crawler.frontier.redis.records import arguments_of

# Failures come back at once, so that a test need not wait.
QUICK = Policy(delay=0, visits_per_host=1000, first_backoff=0)


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
        assert "; retrying" in said[0]
        assert "; continuing" in said[-1]
        asyncio.run(audit(own.url, "job"))

    def test_a_call_whose_answer_was_lost_happens_once(self, shared: RedisProcess) -> None:
        async def work() -> None:
            async with await RedisFrontier.open(shared.url, "lost", QUICK) as frontier:
                job, key = frontier.job, frontier._key
                numbers = itertools.count(1)

                async def repeated(name: str, *arguments: Any) -> Any:
                    call = ["", "worker-1:again", next(numbers), key.hex(), *arguments]
                    answers = [await job.server.call(name, job.key("job"), call) for _ in range(3)]
                    assert len(set(answers)) == 1, name
                    return orjson.loads(answers[0])

                assert await repeated("add", *arguments_of(candidates("a.test", 4), key)) == [4]
                leases = await repeated("lease", 3)
                tokens = [int(token) for token in leases[3::5]]
                assert len(tokens) == 3
                assert await repeated("ack", tokens[0], "kept", 1, 1, "") == []
                await repeated("release", "1", "timeout", "", 0.5, 1, tokens[1])
                for _ in range(QUICK.tries - 1):
                    (lease,) = await frontier.lease(1)
                    await frontier.release(lease, reason="timeout")
                assert await repeated("dead", "purge", "", "0", "", 9, "") == [1, "1", "1"]
                await repeated("received", 5)
                stats = await frontier.stats()
                assert (stats.added, stats.queued, stats.leased) == (4, 1, 1)
                assert (stats.outcomes, stats.purged, stats.received) == ({"kept": 1}, 1, 5)
                # For as long as it may be repeated.
                async with Redis.from_url(shared.url) as redis:
                    assert await redis.ttl(job.key("calls:worker-1:again")) > PATIENCE

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
        assert "its memory is full; raise its maxmemory, or " in caplog.messages[0]
        assert "script" not in caplog.text

    def test_patience_has_an_end(self, own: RedisProcess) -> None:
        async def work() -> None:
            frontier = await RedisFrontier.open(own.url, "job", QUICK, patience=0.5)
            async with frontier:
                own.stop()
                with pytest.raises(FrontierError, match=r"has been failing.*nothing is lost"):
                    await frontier.lease(1)
                own.start()
                # The crawl is ending by now.
                with pytest.raises(FrontierError, match="has been failing for"):
                    await frontier.lease(1)

        asyncio.run(work())

    def test_a_server_that_forgot_the_job_is_named(self, tmp_path: Path) -> None:
        needs_redis()

        async def work(server: RedisProcess) -> None:
            frontier = await RedisFrontier.open(server.url, "job", QUICK)
            await frontier.add(candidates("a.test", 3))
            server.stop()
            server.start()
            with pytest.raises(FrontierError, match="lost its data"):
                await frontier.lease(1)
            await frontier.close()

        with RedisProcess(tmp_path) as server:
            asyncio.run(work(server))

    def test_so_is_one_that_forgot_it_and_has_another_of_that_name(
        self, shared: RedisProcess
    ) -> None:
        async def work() -> None:
            old = await RedisFrontier.open(shared.url, "again", QUICK)
            await old.add(candidates("a.test", 3))
            async with Redis.from_url(shared.url) as redis:
                await redis.delete(*[key async for key in redis.scan_iter("crawl:{again}:*")])
            async with await RedisFrontier.open(shared.url, "again", QUICK, worker="w2") as new:
                await new.add(candidates("a.test", 3))
                for call in (old.add(candidates("a.test", 3)), old.lease(1), old.finished()):
                    with pytest.raises(FrontierError, match="lost its data"):
                        await call
                assert (await new.stats()).added == 3
            await old.close()

        asyncio.run(work())

    def test_a_full_memory_lets_an_operator_stop_the_job_and_make_room(
        self, own: RedisProcess
    ) -> None:
        async def work() -> list[bytes]:
            mortal = replace(QUICK, tries=1)
            async with (
                await RedisFrontier.open(own.url, "job", mortal) as frontier,
                Redis.from_url(own.url) as redis,
            ):
                await frontier.add(candidates("a.test", 3))
                for lease in await frontier.lease(2):
                    await frontier.release(lease, reason="gone")
                await redis.config_set("maxmemory", 1)
                async with await RedisFrontier.attach(own.url, "job") as attached:
                    for state in ("paused", "running", "stopped"):
                        await attached.set_state(state)
                        assert (await attached.fleet()).state == state
                    assert await attached.purge_dead("b.test") == 0
                    assert await attached.purge_dead() == 2
                    await return_expired(attached)
                    await free(attached, {"queued": 1})
                return [key async for key in redis.scan_iter("*") if await redis.ttl(key) < 0]

        assert asyncio.run(work()) == []

    def test_a_server_that_throws_keys_away_is_refused(self, tmp_path: Path) -> None:
        needs_redis()
        options = ("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
        with (
            RedisProcess(tmp_path, *options) as server,
            pytest.raises(FrontierError, match="noeviction"),
        ):
            asyncio.run(RedisFrontier.open(server.url, "job"))

    def test_not_so_one_whose_memory_has_no_limit(self, own: RedisProcess) -> None:
        async def work() -> None:
            async with Redis.from_url(own.url) as redis:
                await redis.config_set("maxmemory-policy", "allkeys-lru")
                await (await RedisFrontier.open(own.url, "job")).close()

        asyncio.run(work())

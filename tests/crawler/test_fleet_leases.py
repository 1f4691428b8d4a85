"""What a worker holds, and that it touches nothing that it holds no more."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

from blocking_frontier import Clock
from fleet_worker import ended, job_file, worker
from redis_process import RedisProcess, needs_redis
from small_web import PAGE, Web

from crawler.frontier import Ack, Candidate, Policy, SqliteFrontier
from crawler.frontier.lease_holder import LeaseHolder
from crawler.frontier.redis import RedisFrontier

# The shortest that a job file allows.
LEASE = 10.0


# So short that nobody waits long for its renewal.
SHORT = 0.03


@contextlib.asynccontextmanager
async def held(folder: Path, clock: Clock) -> AsyncIterator[LeaseHolder]:
    """A frontier with three URLs, by the test's clock, whose leases are short."""
    policy = Policy(lease_seconds=SHORT, delay=0, visits_per_host=9)
    store = await SqliteFrontier.open(folder, policy, clock=clock)
    async with LeaseHolder(store, clock=clock) as frontier:
        await frontier.add([Candidate(f"http://a.test/{number}") for number in range(3)])
        yield frontier


def test_a_lease_is_held_until_it_may_be_anothers(tmp_path: Path) -> None:
    async def work() -> None:
        clock = Clock()
        async with held(tmp_path, clock) as frontier:
            done, given_back, kept = await frontier.lease(3)
            await frontier.ack(done, "kept")
            await frontier.release(given_back)
            assert [frontier.holds(lease) for lease in (done, given_back, kept)] == [0, 0, 1]
            clock.pass_(SHORT)
            # Nobody has said so, and another may have it all the same.
            assert not frontier.holds(kept)

    asyncio.run(work())


def test_a_lease_is_renewed_while_it_is_held(tmp_path: Path) -> None:
    async def work() -> None:
        clock = Clock()
        async with held(tmp_path, clock) as frontier:
            (kept,) = await frontier.lease(1)
            clock.pass_(SHORT)
            frontier.changed.clear()
            frontier.start()
            async with asyncio.timeout(60):
                await frontier.changed.wait()
            assert frontier.holds(kept)

    asyncio.run(work())


def test_a_worker_that_was_halted_keeps_what_nobody_took(tmp_path: Path) -> None:
    async def work() -> None:
        clock = Clock()
        async with held(tmp_path, clock) as frontier:
            first, second = await frontier.lease(2)
            clock.pass_(100)
            (third,) = await frontier.lease(3)
            assert third.url not in (first.url, second.url)
            assert frontier.holds(first)
            assert await frontier.ack_all([Ack(first, "kept"), Ack(second, "kept")]) == []
            assert frontier.lost == 0

    asyncio.run(work())


def test_a_lost_lease_is_counted_once(tmp_path: Path) -> None:
    async def work() -> None:
        clock = Clock()
        async with held(tmp_path, clock) as frontier:
            first, second = await frontier.lease(2)
            clock.pass_(SHORT)
            # As another worker would.
            await frontier.frontier.lease(2)
            assert await frontier.ack_all([Ack(second, "kept")]) == [second]
            assert frontier.lost == 1
            assert await frontier.renew([first]) == []
            assert await frontier.ack_all([Ack(first, "kept")]) == [first]
            assert frontier.lost == 2

    asyncio.run(work())


def test_a_worker_that_was_away_asks_for_nothing_that_others_have_done(tmp_path: Path) -> None:
    needs_redis()

    async def do_its_work(url: str) -> None:
        policy = Policy(delay=0, visits_per_host=4, lease_seconds=LEASE)
        async with await RedisFrontier.open(url, "fleet", policy, worker="other") as frontier:
            while not await frontier.finished():
                for lease in await frontier.lease(4):
                    assert lease.attempt == 2
                    await frontier.ack(lease, "kept")

    with Web() as web, RedisProcess(tmp_path) as server:
        urls = [f"{web.base}/{number}" for number in range(4)]
        web.answers = {f"/{number}": (200, {}, PAGE) for number in range(4)}
        web.slow["/robots.txt"] = 0.5
        job = job_file(
            tmp_path,
            urls,
            politeness="delay = 0\nconcurrency_per_host = 4",
            frontier=f"lease = {LEASE}",
            outputs=f'folder = "{tmp_path}/out"',
        )
        away = worker(job, "-s", f"FRONTIER={server.url}")
        while not web.asked:
            time.sleep(0.02)
        away.send_signal(signal.SIGSTOP)
        time.sleep(LEASE + 0.1)
        asyncio.run(do_its_work(server.url))
        away.send_signal(signal.SIGCONT)
        code, errors = ended(away)
        assert (code, "Traceback" in errors) == (0, False), errors
    assert web.asked == ["/robots.txt"]

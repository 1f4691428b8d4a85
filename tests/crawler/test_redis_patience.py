"""How long a Redis that does not answer is waited for: until patience ends, or the worker is to."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from blocking_frontier import pages
from redis_process import RedisProcess, needs_redis

from crawler.frontier import Candidate, FrontierError
from crawler.frontier.lease_holder import LeaseHolder
from crawler.frontier.redis import RedisFrontier, frontier
from crawler.frontier.redis import server as redis_server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisProcess]:
    needs_redis()
    with RedisProcess(tmp_path) as process:
        yield process


def test_who_is_asked_to_end_waits_no_longer(
    server: RedisProcess, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(frontier, "_HURRY", 0.0)

    async def work() -> None:
        held = LeaseHolder(await RedisFrontier.open(server.url, "job"))
        server.stop()
        leasing = asyncio.create_task(held.lease(1))
        async with asyncio.timeout(20):
            while "; retrying" not in caplog.text:
                await asyncio.sleep(0.01)
            held.frontier.hurry()
            with pytest.raises(FrontierError, match=r"failing for .* \(nothing listens there"):
                await leasing
        await held.close()

    with caplog.at_level(logging.WARNING):
        asyncio.run(work())


def test_what_was_given_up_once_is_not_waited_for_again(server: RedisProcess) -> None:
    """Of the calls of a worker that ends, each would wait as long."""

    async def work() -> None:
        found = await RedisFrontier.open(server.url, "job", patience=0.3)
        server.stop()
        with pytest.raises(FrontierError, match="has been failing"):
            await found.lease(1)
        server.start()
        with pytest.raises(FrontierError, match="has been failing"):
            await found.add([Candidate(page) for page in pages("a.test", 1)])
        await found.close()

    asyncio.run(work())


def test_a_server_that_may_not_speak_tls_is_told_from_one_that_is_away(
    server: RedisProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_server, "_CONNECT_SECONDS", 0.3)
    monkeypatch.setattr(frontier, "_IMPATIENCE", 0.0)
    url = server.url.replace("redis:", "rediss:")
    with pytest.raises(FrontierError, match="does it speak TLS there"):
        asyncio.run(RedisFrontier.open(url, "job"))
    server.stop()
    with pytest.raises(FrontierError, match="nothing listens there"):
        asyncio.run(RedisFrontier.open(url, "job"))

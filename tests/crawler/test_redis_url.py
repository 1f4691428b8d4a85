"""Which server and which job of it: the URL and the name that a frontier in Redis is opened by."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from blocking_frontier import pages
from redis.asyncio import Redis
from redis_process import RedisProcess, needs_redis

from crawler.frontier import Candidate, FrontierError, FrontierVersionError, Policy
from crawler.frontier.redis import RedisFrontier
from settings import JobError, parse_job
from settings.frontier_address import frontier_url

QUICK = Policy(delay=0, visits_per_host=1000, first_backoff=0)


def test_it_may_name_a_user_a_password_and_a_socket(tmp_path: Path) -> None:
    needs_redis()
    user = ("--user", "crawler", "on", ">secret", "~crawl:*", "&*", "+@all")

    async def work(url: str) -> int:
        async with await RedisFrontier.open(url, "job", QUICK) as frontier:
            return await frontier.add([Candidate(page) for page in pages("a.test", 3)])

    with RedisProcess(tmp_path, *user, "--requirepass", "hidden") as server:
        assert asyncio.run(work(server.url.replace("//", "//crawler:secret@"))) == 3
        assert asyncio.run(work(f"unix://:hidden@{server.socket}")) == 0
        wrong = server.url.replace("//", "//crawler:guess@")
        with pytest.raises(FrontierError, match="refuses this user") as caught:
            asyncio.run(work(wrong))
        assert "guess" not in str(caught.value)
        with pytest.raises(FrontierError, match="refuses this user"):
            asyncio.run(work(server.url))


@pytest.mark.parametrize(
    "url",
    [
        "http://a.test",
        "redis://localhost:port",
        "unix://run/redis.sock",
        "rediss://localhost?ssl_ca_cert=/x",
        "redis://localhost?db=prod",
    ],
)
def test_it_must_be_the_url_of_a_redis(url: str) -> None:
    with pytest.raises(FrontierError, match="not a valid Redis URL"):
        asyncio.run(RedisFrontier.open(url, "job"))


def test_a_database_is_a_number() -> None:
    for url in ("redis://h", "redis://h/", "redis://h:1/3", "rediss://h/0?ssl_ca_certs=/a@b.crt"):
        assert frontier_url(url) == url
    with pytest.raises(FrontierError, match="must have a number as database"):
        asyncio.run(RedisFrontier.open("redis://h/prod", "job"))


@pytest.mark.parametrize(
    "url",
    [
        "redis://eve:pa@ss@host/1",
        "redis://eve:12/ss@host",
        "redis://eve:pa/ss@host/1",
        "redis://eve:12?ss@host/1",
        "redis://eve:12#ss@host/1",
        "unix://:pa/ss@/run/redis.sock",
    ],
)
def test_a_password_is_percent_encoded_and_never_shown(url: str) -> None:
    with pytest.raises(FrontierError, match=r"\*\*\*@.* percent-encoded") as caught:
        asyncio.run(RedisFrontier.open(url, "job"))
    assert "ss@" not in str(caught.value)
    job = f"name = 'x'\nseeds.urls = ['http://localhost/']\nfrontier.url = '{url}'\n"
    with pytest.raises(JobError, match="percent-encoded") as told:
        parse_job(job)
    assert "ss@" not in str(told.value)


def test_so_it_may_hold_any_character(tmp_path: Path) -> None:
    needs_redis()

    async def work(url: str) -> str:
        async with await RedisFrontier.open(url, "job", QUICK) as frontier:
            return frontier.job.server.name

    with RedisProcess(tmp_path, "--requirepass", "p@s/s?#") as server:
        url = server.url.replace("//", "//:p%40s%2Fs%3F%23@")
        assert asyncio.run(work(url)) == server.url.replace("//", "//***@")


def test_a_job_that_was_never_begun_cannot_be_looked_into(shared: RedisProcess) -> None:
    with pytest.raises(FrontierError, match="has no job 'never'"):
        asyncio.run(RedisFrontier.attach(shared.url, "never"))


@pytest.mark.parametrize("name", ["a b", "a}b", ""])
def test_a_name_must_fit_into_a_key(shared: RedisProcess, name: str) -> None:
    with pytest.raises(FrontierError, match="cannot name a job"):
        asyncio.run(RedisFrontier.open(shared.url, name))


def test_a_job_of_another_version_is_refused_and_kept(shared: RedisProcess) -> None:
    async def work() -> None:
        await (await RedisFrontier.open(shared.url, "version", QUICK)).close()
        async with Redis.from_url(shared.url) as redis:
            await redis.hset("crawl:{version}:job", "version", 99)
        for opening in (RedisFrontier.open, RedisFrontier.attach):
            with pytest.raises(FrontierVersionError, match="99, but this crawler needs 3"):
                await opening(shared.url, "version")

    asyncio.run(work())

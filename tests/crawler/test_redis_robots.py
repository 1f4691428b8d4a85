"""robots.txt of a host is fetched by one worker of the fleet."""

from __future__ import annotations

import asyncio
from itertools import count
from zlib import compress

import pytest
from redis.asyncio import Redis
from redis_process import RedisProcess
from scrapy.http import Response

from crawler.frontier.redis import RedisFrontier
from crawler.politeness import shared_files
from crawler.politeness.robots_file import LARGEST
from crawler.politeness.shared_files import shared_response

URL = "http://a.test/robots.txt"
LARGE = Response(URL, body=b"#" * (LARGEST + 1))
_names = count()


class Site:
    def __init__(self, answer: Response | None) -> None:
        self.answer = answer
        self.asked = 0

    async def fetch(self, url: str) -> Response:
        self.asked += 1
        await asyncio.sleep(0.05)
        if self.answer is None:
            raise OSError("no route")
        return self.answer


def fleet(shared: RedisProcess, site: Site, workers: int = 5) -> list[Response]:
    async def work() -> list[Response]:
        job = f"robots-{next(_names)}"
        opened = [await RedisFrontier.open(shared.url, job) for _ in range(workers)]
        caches = [frontier.shared_cache() for frontier in opened]
        try:
            return await asyncio.gather(*(shared_response(c, URL, site.fetch) for c in caches))
        finally:
            for frontier in opened:
                await frontier.close()

    return asyncio.run(work())


def test_all_workers_have_the_answer_of_one(shared: RedisProcess) -> None:
    site = Site(Response(URL, body=b"User-agent: *\nDisallow: /private\n"))
    answers = fleet(shared, site)
    assert site.asked == 1
    assert {(answer.status, answer.body) for answer in answers} == {
        (200, b"User-agent: *\nDisallow: /private\n")
    }


def test_also_a_redirect_and_trouble(shared: RedisProcess) -> None:
    site = Site(Response(URL, status=301, headers={"Location": "https://a.test/robots.txt"}))
    answers = fleet(shared, site)
    assert {answer.headers[b"Location"] for answer in answers} == {b"https://a.test/robots.txt"}
    site = Site(Response(URL, status=503, headers={"Retry-After": "120"}))
    answers = fleet(shared, site)
    assert {(answer.status, answer.headers[b"Retry-After"]) for answer in answers} == {
        (503, b"120")
    }
    assert site.asked == 1


def test_no_more_is_shared_of_it_than_is_read(shared: RedisProcess) -> None:
    *others, largest = sorted(len(answer.body) for answer in fleet(shared, Site(LARGE)))
    assert (set(others), largest) == ({LARGEST}, len(LARGE.body))


@pytest.mark.parametrize(("status", "seconds"), [(200, 3600), (404, 3600), (429, 30), (500, 30)])
def test_an_answer_is_read_for_an_hour_and_trouble_for_half_a_minute(
    shared: RedisProcess, status: int, seconds: float
) -> None:
    site = Site(Response(URL, status=status))

    async def work() -> int:
        job = f"robots-{next(_names)}"
        async with (
            await RedisFrontier.open(shared.url, job) as frontier,
            Redis.from_url(shared.url) as redis,
        ):
            for _ in range(2):
                await shared_response(frontier.shared_cache(), URL, site.fetch)
            left: int = await redis.pttl(frontier.job.key(f"cache:{URL}"))
            return left

    left = asyncio.run(work())
    assert site.asked == 1
    assert (seconds - 30) * 1000 < left <= seconds * 1000


def test_what_cannot_be_read_is_fetched_again(shared: RedisProcess) -> None:
    site = Site(Response(URL, body=b"User-agent: *\n"))

    async def work() -> None:
        async with await RedisFrontier.open(shared.url, f"robots-{next(_names)}") as frontier:
            cache = frontier.shared_cache()
            for damaged in (b"", b"no zlib", compress(b"[]\n"), compress(bytes(10**7))):
                await cache.put(URL, damaged, 60)
                assert (await shared_response(cache, URL, site.fetch)).body == b"User-agent: *\n"

    asyncio.run(work())
    assert site.asked == 4


def test_who_waits_in_vain_for_the_answer_of_another_asks(
    shared: RedisProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = Site(Response(URL))

    async def work() -> None:
        async with await RedisFrontier.open(shared.url, f"robots-{next(_names)}") as frontier:
            cache = frontier.shared_cache()
            assert await cache.claim(URL, 60)  # by a worker that is dead now
            monkeypatch.setattr(shared_files, "_PATIENCE", 0.3)
            async with asyncio.timeout(30):
                await shared_response(cache, URL, site.fetch)

    asyncio.run(work())
    assert site.asked == 1


def test_a_claim_is_of_one_worker_until_its_time_is_over(shared: RedisProcess) -> None:
    async def work() -> None:
        async with await RedisFrontier.open(shared.url, f"robots-{next(_names)}") as frontier:
            cache = frontier.shared_cache()
            assert [await cache.claim("long", 60) for _ in range(2)] == [True, False]
            assert await cache.claim("short", 0.05)
            await asyncio.sleep(0.1)
            assert await cache.claim("short", 60)

    asyncio.run(work())


def test_a_claim_is_released_by_its_worker_alone(shared: RedisProcess) -> None:
    async def work() -> None:
        async with await RedisFrontier.open(shared.url, f"robots-{next(_names)}") as frontier:
            slow, impatient = frontier.shared_cache(), frontier.shared_cache()
            assert await slow.claim(URL, 60)
            await impatient.give_up(URL)
            assert not await impatient.claim(URL, 60)
            await slow.give_up(URL)
            assert await impatient.claim(URL, 60)

    asyncio.run(work())


def test_a_failure_is_of_who_met_it(shared: RedisProcess) -> None:
    site = Site(None)
    with pytest.raises(OSError, match="no route"):
        fleet(shared, site, workers=1)
    assert site.asked == 1


def test_a_server_in_trouble_is_asked_again_as_soon_as_its_answer_is_old(
    shared: RedisProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_files, "_TROUBLE", 0.1)
    site = Site(Response(URL, status=503))

    async def work() -> None:
        async with await RedisFrontier.open(shared.url, f"robots-{next(_names)}") as frontier:
            cache = frontier.shared_cache()
            await shared_response(cache, URL, site.fetch)
            await asyncio.sleep(0.2)
            async with asyncio.timeout(30):
                await shared_response(cache, URL, site.fetch)

    asyncio.run(work())
    assert site.asked == 2

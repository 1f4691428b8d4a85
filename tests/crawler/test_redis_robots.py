"""robots.txt of a host is fetched by one worker of the fleet."""

from __future__ import annotations

import asyncio
from itertools import count

import pytest
from redis_process import RedisProcess
from scrapy.http import Response

from crawler import shared_responses
from crawler.frontier.redis import RedisFrontier
from crawler.shared_responses import shared_response

URL = "http://a.test/robots.txt"
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
    site = Site(Response(URL, status=503))
    assert {answer.status for answer in fleet(shared, site)} == {503}
    assert site.asked == 1


def test_a_failure_is_of_who_met_it(shared: RedisProcess) -> None:
    site = Site(None)
    with pytest.raises(OSError, match="no route"):
        fleet(shared, site, workers=1)
    assert site.asked == 1


def test_a_server_in_trouble_is_asked_again_as_soon_as_its_answer_is_old(
    shared: RedisProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_responses, "_TROUBLE", 0.1)
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

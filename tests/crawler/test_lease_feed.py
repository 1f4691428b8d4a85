"""Leases for the downloader."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from scrapy.crawler import Crawler

from crawler.commands.runner import project_settings
from crawler.crawl.crawl import Crawl, NotOpenError
from crawler.fetching import leased_requests
from crawler.fetching.leased_requests import LeaseFeed
from crawler.frontier import Candidate, Lease, SqliteFrontier
from crawler.frontier.lease_holder import LeaseHolder
from crawler.spider.spider import CorpusSpider
from settings import Job

URL = "http://127.0.0.1/"


def test_nothing_is_leased_while_the_pipelines_are_busy_and_then_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where a visit or a URL would have to come first.
    monkeypatch.setattr(leased_requests, "_LONGEST_WAIT", 3600)
    is_busy = True

    async def work() -> None:
        nonlocal is_busy
        job = Job.model_validate({"name": "x", "seeds": {"urls": [URL]}})
        async with LeaseHolder(await SqliteFrontier.open(tmp_path)) as frontier:
            await frontier.add([Candidate(URL)])
            leases = LeaseFeed(Crawl(job, leases=frontier), lambda: is_busy).leases()
            first = asyncio.ensure_future(anext(leases))
            for _ in range(5):
                # Visits that end and new URLs are no room.
                frontier.changed.set()
                await asyncio.sleep(0.01)
            assert not first.done()
            assert frontier.held == 0
            is_busy = False
            async with asyncio.timeout(10):
                assert (await first).url == URL
            await leases.aclose()

    asyncio.run(work())


def test_a_crawl_that_reads_no_pages_leases_none_that_come_meanwhile(tmp_path: Path) -> None:
    async def work() -> None:
        job = Job.model_validate({"name": "x", "seeds": {"urls": [URL]}})
        async with LeaseHolder(await SqliteFrontier.open(tmp_path)) as frontier:
            crawl = Crawl(job, leases=frontier)
            crawl.is_up_to_date = True
            await frontier.add([Candidate(URL)])
            assert [lease async for lease in LeaseFeed(crawl, lambda: False).leases()] == []
            assert (await frontier.frontier.stats()).queued == 1

    asyncio.run(work())


def test_no_more_is_leased_than_can_be_fetched_and_worked_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leased_requests, "MOST_IN_WORK", 5)
    table = {"name": "x", "seeds": {"urls": [URL]}, "politeness": {"concurrency": 2}}
    leased: list[Lease] = []

    async def lease_all(crawl: Crawl) -> None:
        async for lease in LeaseFeed(crawl, lambda: False).leases():
            leased.append(lease)  # noqa: PERF401 - each is to be seen when it comes

    async def come(count: int) -> None:
        async with asyncio.timeout(30):
            while len(leased) < count:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        assert len(leased) == count

    async def work() -> None:
        async with LeaseHolder(await SqliteFrontier.open(tmp_path)) as frontier:
            await frontier.add([Candidate(f"http://127.0.0.{host}/") for host in range(1, 9)])
            crawl = Crawl(Job.model_validate(table), leases=frontier)
            leasing = asyncio.create_task(lease_all(crawl))
            await come(2)
            await frontier.fetched(leased[:1])
            await come(3)
            await frontier.fetched(leased[1:3])
            await come(5)
            await frontier.fetched(leased[3:])
            await come(5)
            await frontier.ack(leased[0], "kept")
            await come(6)
            leasing.cancel()

    asyncio.run(work())


def spider_of_a_closed_crawl() -> CorpusSpider:
    crawler = Crawler(CorpusSpider, project_settings({}))
    job = Job.model_validate({"name": "x", "seeds": {"urls": [URL]}})
    spider = CorpusSpider.from_crawler(crawler, job=job)
    crawler.engine = SimpleNamespace(needs_backout=lambda: False)
    asyncio.run(spider.crawl.close("shutdown"))
    return spider


async def started(spider: CorpusSpider) -> list[object]:
    return [request async for request in spider.start()]


def test_a_crawl_that_ends_meanwhile_is_no_fault() -> None:
    spider = spider_of_a_closed_crawl()
    with pytest.raises(NotOpenError):
        _ = spider.crawl.frontier
    assert asyncio.run(started(spider)) == []


def test_a_fault_of_the_program_is_told_also_when_the_crawl_has_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def broken(_: LeaseFeed) -> AsyncIterator[Lease]:
        raise RuntimeError("a fault")
        yield

    monkeypatch.setattr(LeaseFeed, "leases", broken)
    with pytest.raises(RuntimeError, match="a fault"):
        asyncio.run(started(spider_of_a_closed_crawl()))

"""Pages of the demo site that go through the whole pipeline, with a real corpus and frontier."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self, cast

import orjson
from corpus_samples import plain_lines
from scrapy.crawler import Crawler
from scrapy.utils.test import get_crawler

from crawler.crawl.crawl import Crawl, register
from crawler.demo.site import Site
from crawler.exit_codes import CORPUS_FAILED
from crawler.frontier import Candidate, Policy, SqliteFrontier, Stats
from crawler.frontier.lease_holder import LeaseHolder
from crawler.items import Page
from crawler.lease import Lease
from crawler.outcomes import Rejection
from pipelines.item_pipeline import CorpusPipeline
from pipelines.reading.content import Content, ContentTask, Reading
from pipelines.reading.page_reader import PageReader, PageTask
from pipelines.reading.worker_process import Answer, Message, read
from settings import Job
from settings.tables.extraction import Extraction
from settings.tables.genres import Genres

ORIGIN = "http://127.0.0.1"
SITE = Site()
# Each page is read once, by itself.
ALONE = {"site_memory": False}

Work = Callable[[CorpusPipeline, list[Page]], Coroutine[Any, Any, None]]


class Engine:
    """Scrapy's, as far as a pipeline uses it."""

    async def close_spider_async(self, *, reason: str) -> None:
        assert reason == CORPUS_FAILED


class OwnProcess:
    """Reads pages where the tests run, as the pool's workers do."""

    replaced = 0

    def __init__(self, genres: Genres, extraction: Extraction, *, size: int | None) -> None:
        self._reader = PageReader(genres, extraction)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def read(self, task: PageTask) -> Answer[Reading]:
        [scan], [found] = self._told(task)
        return Answer(found, scan)

    async def read_again(self, task: ContentTask) -> Content | Rejection:
        _, [found] = self._told(task)
        return cast(Content | Rejection, found)

    def _told(self, task: PageTask | ContentTask) -> list[Any]:
        told: list[Message] = []
        read(self._reader, [task], told.append)
        return [message for message in told if isinstance(message, list)]


def job(**tables: Any) -> Job:
    one = {"name": "x", "seeds": {"urls": [f"{ORIGIN}/"]}, "limits": {"processes": 1}}
    return Job.model_validate({**one, **tables})


def page(lease: Lease, **fields: Any) -> Page:
    resource = SITE.resource(lease.url.removeprefix(ORIGIN) or "/")
    assert resource is not None
    kind = (("content-type", resource.content_type),)
    charset = resource.content_type.partition("charset=")[2] or None
    return Page(
        lease, lease.url, 200, kind, resource.body, datetime.now(UTC), charset=charset, **fields
    )


def scrapy_crawler() -> Crawler:
    """As while it runs, until it is told to stop."""
    crawler = get_crawler()
    crawler.engine = cast(Any, Engine())
    crawler.crawling = True
    return crawler


def crawl(
    folder: Path,
    paths: list[str],
    work: Work | None = None,
    made: Job | None = None,
    crawler: Crawler | None = None,
) -> Stats:
    """Lease the paths, let the pages go their way; what the frontier says at the end.

    crawler: where the crawl and its counts are found, for who wants to look at them.
    """
    crawler = crawler or scrapy_crawler()

    async def run() -> Stats:
        policy = Policy(delay=0, visits_per_host=100)
        async with LeaseHolder(await SqliteFrontier.open(folder, policy)) as frontier:
            await frontier.add([Candidate(ORIGIN + path) for path in paths])
            leases = {lease.url: lease for lease in await frontier.lease(100)}
            pages = [page(leases[ORIGIN + path]) for path in paths if ORIGIN + path in leases]
            await frontier.fetched([*leases.values()])
            crawl = Crawl(made or job(), leases=frontier)
            crawl.folder = folder
            crawl.is_up_to_date = await frontier.frontier.finished()
            register(crawler, crawl)
            pipeline = CorpusPipeline.from_crawler(crawler)
            await pipeline.open_spider()
            try:
                if work is None:
                    await asyncio.gather(*map(pipeline.process, pages))
                else:
                    await work(pipeline, pages)
            finally:
                await pipeline.close_spider()
            if crawl.ending.failure is not None:
                raise crawl.ending.failure
            return await frontier.frontier.stats()

    return asyncio.run(run())


def lines(folder: Path, kind: str) -> dict[str, Any]:
    """The lines of a kind by the paths that were asked for."""
    found = [
        orjson.loads(line)
        for shard in sorted((folder / "corpus" / kind).glob("*.zst"))
        for line in plain_lines(shard)
    ]
    return {line["metadata"]["requested_url"].removeprefix(ORIGIN): line for line in found}

"""The pipeline as Scrapy sees it: pages from the spider go in, documents come out.

It is one item pipeline instead of one for each step, because Scrapy closes all item pipelines at
the same time: the last page must be written before the corpus is completed, and the corpus before
the frontier is closed.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Self

from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem, NotConfigured

from crawler.crawl import crawl_of
from crawler.discovery.page_scan import ReaderError, ScannedPage
from crawler.exit_codes import CORPUS_FAILED, CrawlError, InUseError, StorageError
from crawler.frontier import FrontierError
from crawler.items import Document, Page, RejectedPage
from crawler.outcomes import Rejection
from pipelines.corpus.errors import CorpusError, CorpusInUseError
from pipelines.corpus.layout import CORPUS
from pipelines.corpus_builder import FATAL, CorpusBuilder
from pipelines.reading.worker_pool import MethodError
from pipelines.reporting.conclusion import conclude
from pipelines.reporting.counts import Counts
from pipelines.reporting.progress import Progress
from pipelines.reporting.sample_pages import Gallery

_log = logging.getLogger(__name__)


class CorpusPipeline:
    """Writes the corpus of a crawl to ``corpus/`` in its folder, and finally its report."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._crawl = crawl_of(crawler)
        self._counts = Counts(crawler.stats)
        self._gallery = Gallery()
        self._progress = Progress(crawler)
        self._failure: Exception | None = None
        self._closing: asyncio.Task[None] | None = None
        self._builder: CorpusBuilder | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured for spiders that do not crawl a job."""
        try:
            return cls(crawler)
        except LookupError as error:
            raise NotConfigured(str(error)) from error

    async def open_spider(self) -> None:
        """Raises CrawlError or WorkerError if the crawl cannot start."""
        crawl = self._crawl
        if crawl.failure is not None:
            return
        try:
            self._builder = await CorpusBuilder(
                crawl.job,
                crawl.folder / CORPUS,
                crawl.frontier,
                writer=crawl.worker,
                on_failure=self._fail,
            ).__aenter__()
        except FATAL as error:
            _log.error("the crawl cannot start: %s", error)
            crawl.failure = _as_crawl_error(error) or error
            raise crawl.failure from None
        # One parse for links and content: the spider asks this pipeline for the links.
        crawl.reader = self
        self._progress.start()

    async def read(self, page: Page) -> ScannedPage:
        """Implements ``crawler.discovery.page_scan.Reader`` with the worker processes."""
        if self._builder is None:
            raise ReaderError("the corpus is not open")
        try:
            return await self._builder.read(page)
        except FATAL as error:
            self._fail(error)
            raise ReaderError(str(error)) from error

    async def process_item(self, item: Any) -> Any:
        """Raises DropItem for a page that is rejected."""
        if self._builder is None or not isinstance(item, Page | RejectedPage):
            return item
        try:
            document, rejection = await self._processed(self._builder, item)
        except FATAL as error:
            self._fail(error)
            raise DropItem(f"will be fetched again: {error}") from error
        self._counts.add(document, rejection)
        page = item.page if isinstance(item, RejectedPage) else item
        self._gallery.add(document, rejection, page.screenshot)
        await self._flush_if_idle(self._builder)
        if rejection is not None:
            raise DropItem(f"{document.url}: {rejection.reason} {rejection.detail}")
        return document

    async def close_spider(self) -> None:
        """Complete the corpus, then write the report."""
        if self._builder is None:
            return
        await self._progress.stop()
        try:
            await self._builder.close()
        except FATAL as error:
            self._crawl.failure = self._crawl.failure or _as_crawl_error(error) or error
            _log.error("%s", error)
        self._counts.add_troubles(
            unclassified=self._builder.unclassified, replaced=self._builder.replaced
        )
        await conclude(self._crawl, self._crawler, self._gallery)

    async def _flush_if_idle(self, builder: CorpusBuilder) -> None:
        """Otherwise the crawl would wait at its end until the next frame is due."""
        try:
            await builder.output.flush_if_idle(self._crawl.frontier.held)
        except FATAL as error:
            self._fail(error)
        except FrontierError as error:
            _log.warning("could not flush the corpus early, the next frame will: %s", error)

    @staticmethod
    async def _processed(
        builder: CorpusBuilder, item: Page | RejectedPage
    ) -> tuple[Document, Rejection | None]:
        if isinstance(item, RejectedPage):
            return await builder.reject(item.page, item.rejection)
        return await builder.process(item)

    def _fail(self, error: Exception) -> None:
        """Close the spider, once: no further page could be kept."""
        if self._failure is not None:
            return
        self._failure = self._crawl.failure = _as_crawl_error(error) or error
        _log.error("stopping the crawl: %s", error)
        engine = self._crawler.engine
        if engine is not None:
            # Not awaited: closing waits for all items, including the current one.
            self._closing = asyncio.create_task(engine.close_spider_async(reason=CORPUS_FAILED))


def _as_crawl_error(error: Exception) -> CrawlError | None:
    """The crawler's error for a failure, which decides the exit code."""
    if isinstance(error, MethodError):
        return CrawlError(str(error))
    if isinstance(error, CorpusInUseError):
        return InUseError(str(error))
    return StorageError(str(error)) if isinstance(error, CorpusError) else None

"""The pipeline of a page: read by a worker process, judged by the filters, written to the corpus.

It is one item pipeline instead of one for each step, because Scrapy closes all item pipelines at
the same time: the last page must be written before the corpus is completed, and the corpus before
the frontier is closed.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack
from typing import Any, Final, Self

from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem, NotConfigured

from crawler.crawl import crawl_of
from crawler.discovery.page_scan import ReaderError, ScannedPage
from crawler.exit_codes import CORPUS_FAILED
from crawler.frontier import FrontierError
from crawler.items import Document, Page, RejectedPage
from crawler.outcomes import Rejection
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.layout import CORPUS
from pipelines.corpus_output import CorpusOutput
from pipelines.reading.crawl_reader import CrawlReader
from pipelines.reading.worker_pool import WorkerError
from pipelines.reading.worker_process import failed
from pipelines.reporting.counts import Counts
from pipelines.reporting.end_of_run import report_run
from pipelines.reporting.progress import Progress
from pipelines.reporting.sample_pages import PageSample

_log = logging.getLogger(__name__)

# After these errors, no later page can be kept either.
_FATAL: Final = (CorpusError, WorkerError)


class CorpusPipeline:
    """Writes the corpus of a crawl to ``corpus/`` in its folder, and finally its report."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._crawl = crawl_of(crawler)
        self._counts = Counts(crawler.stats)
        self._sample = PageSample()
        self._progress = Progress(crawler)
        self._failure: Exception | None = None
        self._closing: asyncio.Task[None] | None = None
        self._open: AsyncExitStack | None = None
        self._output: CorpusOutput
        self._reader: CrawlReader

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured for spiders that do not crawl a job."""
        try:
            return cls(crawler)
        except LookupError as error:
            raise NotConfigured(str(error)) from error

    async def open_spider(self) -> None:
        """Open the corpus and start the workers. Raises CorpusError or WorkerError."""
        crawl, job = self._crawl, self._crawl.job
        if crawl.failure is not None:
            return
        self._output = CorpusOutput(
            crawl.folder / CORPUS,
            crawl.worker,
            crawl.leases,
            on_failure=self._fail,
            filters=job.filters,
            outputs=job.outputs,
        )
        self._reader = CrawlReader(job)
        try:
            async with AsyncExitStack() as stack:
                # Closed in reverse order: the workers stop before the output completes the corpus.
                await stack.enter_async_context(self._output)
                await stack.enter_async_context(self._reader)
                self._open = stack.pop_all()
        except _FATAL as error:
            _log.error("the crawl cannot start: %s", error)
            crawl.failure = error
            raise
        # One parse for links and content: the spider asks this pipeline for the links.
        crawl.reader = self
        self._progress.start()

    async def read(self, page: Page) -> ScannedPage:
        """Implements ``crawler.discovery.page_scan.Reader`` with the worker processes."""
        if self._open is None:
            raise ReaderError("the corpus is not open")
        try:
            return await self._reader.read(page)
        except _FATAL as error:
            self._fail(error)
            raise ReaderError(str(error)) from error

    async def process_item(self, item: Any) -> Any:
        """Raises DropItem for a page that is rejected."""
        if self._open is None or not isinstance(item, Page | RejectedPage):
            return item
        page = item.page if isinstance(item, RejectedPage) else item
        try:
            document, rejection = await self.process(item)
        except _FATAL as error:
            self._fail(error)
            raise DropItem(f"will be fetched again: {error}") from error
        self._counts.add(document, rejection)
        self._sample.add(document, rejection, page.screenshot)
        await self._flush_if_idle()
        if rejection is not None:
            raise DropItem(f"{document.url}: {rejection.reason} {rejection.detail}")
        return document

    async def process(self, item: Page | RejectedPage) -> tuple[Document, Rejection | None]:
        """Returns the page's document, and the rejection if it is not kept.

        The page is acknowledged later, once its line is on disk. Raises CorpusError or WorkerError
        if no more pages can be processed; any other error becomes a rejection.
        """
        if isinstance(item, RejectedPage):
            return await self._reject(item.page, item.rejection)
        try:
            found = await self._reader.content(item)
            if isinstance(found, Rejection):
                return await self._reject(item, found)
            document = found.document(item)
            rejection = await self._output.take(item, document)
        except (*_FATAL, asyncio.CancelledError):
            raise
        except Exception as error:
            _log.exception("could not process %s", item.url)
            return await self._reject(item, failed(error))
        if rejection is None:
            self._reader.remember(item)
        return document, rejection

    async def close_spider(self) -> None:
        """Complete the corpus, then write the report."""
        if self._open is None:
            return
        await self._progress.stop()
        try:
            await self._open.aclose()
        except _FATAL as error:
            self._crawl.failure = self._crawl.failure or error
            _log.error("%s", error)
        self._counts.add_troubles(
            unclassified=self._reader.unclassified, replaced=self._reader.replaced
        )
        await report_run(self._crawl, self._crawler, self._sample)

    async def _reject(self, page: Page, rejection: Rejection) -> tuple[Document, Rejection]:
        """Write a page whose content was not read."""
        document = Document.of(page)
        await self._output.reject(page, document, rejection)
        return document, rejection

    async def _flush_if_idle(self) -> None:
        """Otherwise the crawl would wait at its end until the next frame is due."""
        try:
            await self._output.flush_if_idle(self._crawl.leases.held)
        except _FATAL as error:
            self._fail(error)
        except FrontierError as error:
            _log.warning("could not flush the corpus early, the next frame will: %s", error)

    def _fail(self, error: Exception) -> None:
        """Close the spider, once: no further page could be kept."""
        if self._failure is not None:
            return
        self._failure = self._crawl.failure = error
        _log.error("stopping the crawl: %s", error)
        # Not awaited: closing waits for all items, including the current one.
        self._closing = asyncio.create_task(
            self._crawler.engine.close_spider_async(reason=CORPUS_FAILED)
        )

"""The pipeline of a page: read by a worker process, judged by the filters, written to the corpus.

It is one item pipeline instead of one for each step, because Scrapy closes all item pipelines at
the same time: the last page must be written before the corpus is completed, and the corpus before
the frontier is closed.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any, Self

from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem, NotConfigured

from crawler.consent.page_signals import PageSignals
from crawler.crawl.crawl import crawl_of
from crawler.discovery.page_scan import ReaderError, ScannedPage
from crawler.exit_codes import CORPUS_FAILED
from crawler.frontier import FrontierError
from crawler.frontier.opening import place_of
from crawler.items import Document, GonePage, Page, RejectedPage
from crawler.logs import json_wanted
from crawler.outcomes import BLOCKED, Judgement, Rejection
from extraction.site_memory import CAPACITY
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.layout import CORPUS, SUFFIX
from pipelines.corpus_output import CorpusOutput
from pipelines.reading.content import ContentTask, Reading
from pipelines.reading.crawl_reader import FATAL, CrawlReader
from pipelines.reading.second_look import SecondLook
from pipelines.reading.site_memories import SiteMemories
from pipelines.reading.worker import WorkerError
from pipelines.reading.worker_process import failed
from pipelines.reporting.counts import Counts
from pipelines.reporting.end_of_run import is_out_of_memory, report_run
from pipelines.reporting.progress import Progress
from pipelines.reporting.sample_pages import PageSample
from pipelines.second_readings import SecondReadings
from pipelines.signals import PAGE_JUDGED, PAGE_READ

_log = logging.getLogger(__name__)


class CorpusPipeline:
    """Writes the corpus of a crawl to ``corpus/`` in its folder, and finally its report."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._crawl = crawl_of(crawler)
        self._counts = Counts(crawler.stats)
        self._sample = PageSample()
        self._progress = Progress(crawler, as_lines=json_wanted(self._crawl.job))
        self._closing: asyncio.Task[None] | None = None
        self._open: AsyncExitStack | None = None
        self._output: CorpusOutput
        self._reader: CrawlReader
        self._second: SecondReadings

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured for spiders that do not crawl a job."""
        try:
            return cls(crawler)
        except LookupError as error:
            raise NotConfigured(str(error)) from error

    async def open_spider(self) -> None:
        """Open the corpus and start the workers. Raises what is in FATAL."""
        crawl, job = self._crawl, self._crawl.job
        if crawl.ending.failure is not None:
            return
        await self._warn_of_repeats()
        self._output = CorpusOutput(
            crawl.folder / CORPUS,
            crawl.worker,
            crawl.leases,
            on_failure=self._fail,
            on_safe=self._count,
            revisits=crawl.revisits,
            filters=job.filters,
            outputs=job.outputs,
        )
        sites = SiteMemories(crawl.frontier.sites(CAPACITY))
        self._reader = CrawlReader(job, sites)
        self._second = SecondReadings(self._reader, self._output, sites, self._tell)
        try:
            async with AsyncExitStack() as stack:
                # Closed in reverse order: the workers stop before the output completes the corpus.
                await stack.enter_async_context(self._output)
                crawl.ending.left_work = self._output.waiting.count > 0
                if crawl.ending.left_work or not crawl.is_up_to_date:
                    await stack.enter_async_context(self._reader)
                self._open = stack.pop_all()
        except FATAL as error:
            _log.error("the crawl cannot start: %s", error)
            crawl.ending.fail(error)
            raise
        # One parse for links and content: the spider asks this pipeline for the links.
        crawl.reader = self
        self._counts.hold(self._output.waiting.count)
        self._progress.start()

    async def _warn_of_repeats(self) -> None:
        """Say so if the frontier knows nothing of the documents that are in the folder."""
        if not any((self._crawl.folder / CORPUS / "documents").glob(f"*{SUFFIX}")):
            return
        urls = await self._crawl.frontier.stats()
        if urls.done or urls.dead:
            return
        _log.warning(
            "%s: the frontier (%s) has no page yet, but %s has documents: their pages are fetched "
            "again, and come twice (`genre-crawler corpus merge` keeps one). If its frontier was "
            "elsewhere, stop, and give its frontier.url back; for a new crawl, give another "
            "outputs.folder",
            self._crawl.job.name,
            place_of(self._crawl.job),
            self._crawl.folder / CORPUS,
        )

    async def read(self, page: Page, served: PageSignals | None = None) -> ScannedPage:
        """Implements ``crawler.discovery.page_scan.Reader`` with the worker processes."""
        if self._open is None:
            raise ReaderError("the corpus is not open")
        try:
            return await self._reader.read(page, served)
        except FATAL as error:
            self._fail(error)
            raise ReaderError(str(error)) from error

    async def process_item(self, item: Any) -> Any:
        """Raises DropItem for a page that is rejected."""
        if self._open is None or not isinstance(item, Page | RejectedPage | GonePage):
            return item
        self._crawl.leases.take(item.lease)
        try:
            return await self._taken(item)
        except DropItem:
            raise
        except Exception:
            # The spider gives it back.
            self._crawl.leases.leave(item.lease)
            raise

    async def _taken(self, item: Page | RejectedPage | GonePage) -> Any:
        if isinstance(item, GonePage):
            return await self._end(item)
        page = item.page if isinstance(item, RejectedPage) else item
        if self._crawl.blocked.blocks(page.lease.url, *page.redirects, page.url):
            await self._output.pass_over(page, BLOCKED)
            await self._flush_if_idle()
            raise DropItem(f"{page.url} is on the block list")
        try:
            done = await self.process(item)
        except FATAL as error:
            self._fail(error)
            raise DropItem(f"will be fetched again: {error}") from error
        finally:
            self._counts.read(page)
        self._counts.hold(self._output.waiting.count)
        if done is None:
            self._sample.hold(page.id, page.screenshot)
        else:
            self._tell(*done, _task_of(page), page.screenshot)
        await self._flush_if_idle()
        if done is None:
            return item
        document, judgement = done
        if isinstance(judgement, Rejection):
            raise DropItem(f"{document.url}: {judgement.reason} {judgement.detail}")
        if judgement is not None:
            raise DropItem(f"{document.url}: unchanged, {judgement.why}")
        return document

    async def process(self, item: Page | RejectedPage) -> tuple[Document, Judgement] | None:
        """Returns the page's document, and what became of it; None if it is held.

        The page is acknowledged later, once its line is on disk. Raises what is in FATAL if no more
        pages can be processed; any other error becomes a rejection.
        """
        lease = await self._second.release_earlier(item.lease)
        if isinstance(item, RejectedPage):
            return await self._reject(replace(item.page, lease=lease), item.rejection)
        item = replace(item, lease=lease)
        try:
            found = await self._reader.content(item)
            self._crawler.signals.send_catch_log(PAGE_READ, page=item)
            if isinstance(found, Rejection):
                return await self._reject(item, found)
            document = await self._second.final(item, found)
            if document is None:
                return None
            judgement = await self._output.take(item, document)
        except (*FATAL, asyncio.CancelledError):
            raise
        except Exception as error:
            _log.exception("could not process %s", item.url)
            return await self._reject(item, failed(error))
        if judgement is None:
            self._reader.remember_page(item)
        return document, judgement

    async def close_spider(self) -> None:
        """Complete the corpus, then write the report."""
        if self._open is None:
            return
        await self._finish_held()
        await self._progress.stop()
        self._crawl.ending.left_work = self._output.waiting.count > 0
        try:
            await self._open.aclose()
        except FATAL as error:
            self._note(error, "%s")
        # What was read again is safe by now, or waits for the next run.
        self._counts.hold(self._output.waiting.count)
        self._counts.add_troubles(
            unclassified=self._reader.unclassified, replaced=self._reader.replaced
        )
        await report_run(self._crawl, self._crawler, self._sample)

    async def _finish_held(self) -> None:
        """Read the held pages again, if the crawl has come to its end and is not told to stop."""
        crawl, crawler = self._crawl, self._crawler

        def goes_on() -> bool:
            # Scrapy clears the flag when it is told to stop, but not when the URLs run out.
            is_over = crawl.is_called_off or is_out_of_memory(crawler)
            return crawler.crawling and crawl.ending.failure is None and not is_over

        try:
            await self._second.release_all(goes_on)
        except FATAL as error:
            self._note(error, "%s")

    def _count(self, document: Document, judgement: Judgement) -> None:
        """Count what became of a page; it may have waited for its site until now."""
        self._counts.add(document, judgement)
        self._counts.hold(self._output.waiting.count)

    def _tell(
        self,
        document: Document,
        judgement: Judgement,
        task: ContentTask | None,
        screenshot: bytes | None = None,
    ) -> None:
        self._sample.add(document, judgement, screenshot)
        look = SecondLook(task, self._reader) if task is not None else None
        self._crawler.signals.send_catch_log(
            PAGE_JUDGED, document=document, judgement=judgement, look=look
        )

    async def _reject(self, page: Page, rejection: Rejection) -> tuple[Document, Judgement]:
        """Write a page whose content was not read."""
        document = Document.of(page)
        return document, await self._output.reject(page, document, rejection)

    async def _end(self, gone: GonePage) -> GonePage:
        try:
            lease = await self._second.release_earlier(gone.lease)
            if await self._output.end(replace(gone, lease=lease)):
                self._counts.end()
        except FATAL as error:
            self._fail(error)
            raise DropItem(f"will be visited again: {error}") from error
        await self._flush_if_idle()
        return gone

    async def _flush_if_idle(self) -> None:
        """Otherwise the crawl would wait at its end until the next frame is due."""
        try:
            await self._output.flush_if_idle(self._crawl.leases.held)
        except (CorpusError, WorkerError) as error:
            self._fail(error)
        except FrontierError as error:
            if self._crawl.ending.tells_more(error):
                _log.warning("could not flush the corpus early, the next frame will: %s", error)

    def _fail(self, error: Exception) -> None:
        """Close the spider, once: no further page could be kept."""
        if self._closing is not None:
            return
        self._note(error, "stopping the crawl: %s")
        # Not awaited: closing waits for all items, including the current one.
        self._closing = asyncio.create_task(
            self._crawler.engine.close_spider_async(reason=CORPUS_FAILED)
        )

    def _note(self, error: Exception, text: str) -> None:
        """Note an error that ends the crawl, and log it unless that was done."""
        ending = self._crawl.ending
        if ending.tells_more(error):
            _log.error(text, error)
        ending.fail(error)


def _task_of(page: Page) -> ContentTask | None:
    """How the page was read; None if it was not, or found to be no document."""
    reading = page.reading
    return ContentTask.again(page, reading) if isinstance(reading, Reading) else None

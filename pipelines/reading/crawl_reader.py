"""Reads the pages of a crawl: each page in one parse, in a worker process, for links and content.

The screenshot is classified if the HTML leaves doubt; the page is read again only if its method
may change by that. Exact copies of documents are only searched for links.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Final, Self

from crawler.consent.page_signals import PageSignals
from crawler.discovery.page_scan import MainText, PageScan, ScannedPage, ScanRules, ScanTask
from crawler.exit_codes import StorageError
from crawler.frontier import FrontierError
from crawler.html import Html
from crawler.items import Page
from crawler.outcomes import Rejection
from crawler.urls import host_key
from genre_model.prediction import Prediction
from pipelines.reading.content import Content, ContentTask, Reading
from pipelines.reading.identical_pages import IdenticalPages
from pipelines.reading.kinds import Kinds
from pipelines.reading.page_reader import PageTask
from pipelines.reading.screenshots import ScreenshotBatches
from pipelines.reading.site_memories import SiteMemories
from pipelines.reading.worker import WorkerError
from pipelines.reading.worker_pool import WorkerPool
from pipelines.reading.worker_process import Answer, failed
from settings.job import Job

_log = logging.getLogger(__name__)

# After these errors, no later page can be read either.
FATAL: Final = (StorageError, FrontierError, WorkerError)


class CrawlReader:
    """Reads pages with a job's methods. Use as an async context manager, in one loop.

    sites: the memories of the crawl's sites; not asked if the job does not want them.
    """

    def __init__(self, job: Job, sites: SiteMemories) -> None:
        self._sites = sites if job.extraction.site_memory else None
        self._rules = ScanRules.of(job)
        self._known = IdenticalPages() if _drops_exact_copies(job) else None
        self._pool = WorkerPool(job.genres, job.extraction, size=job.limits.processes)
        self._screenshots = ScreenshotBatches() if job.rendering.mode != "never" else None
        self._kinds = Kinds(job.genres)
        self._depends_on_kind = len(job.genres.extractors.methods()) > 1
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Start the workers and load the models. Raises WorkerError."""
        _log.info("starting the page workers and loading the models")
        began = time.monotonic()
        async with AsyncExitStack() as stack:
            loading: list[Awaitable[object]] = [stack.enter_async_context(self._pool)]
            if self._screenshots is not None:
                loading.append(stack.enter_async_context(self._screenshots))
            for result in await asyncio.gather(*loading, return_exceptions=True):
                if isinstance(result, BaseException):
                    raise result
            self._open = stack.pop_all()
        _log.info("models loaded in %.0f s", time.monotonic() - began)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()

    async def read(self, page: Page, served: PageSignals | None = None) -> ScannedPage:
        """Read the links and the content of a page; ``content`` returns the latter.

        served: see ``Reader``. The scan is returned even if the content cannot be read. Raises what
        is in FATAL if no more pages can be read.
        """
        try:
            answer = await self._answer(page, self._rules.task(page, served))
        except (*FATAL, asyncio.CancelledError):
            raise
        except Exception as error:
            _log.exception("could not read %s", page.url)
            answer = Answer(failed(error))
        scan, found = answer.scan, answer.found
        if scan is None and isinstance(found, Rejection):
            scan = PageScan(empty=found)
        if scan is not None and isinstance(found, Reading):
            scan = replace(scan, signals=scan.signals.with_licence(found.metadata.licence))
        told = MainText(found.text, found.confidence) if isinstance(found, Reading) else MainText()
        return ScannedPage(replace(page, reading=found), scan or PageScan(), told)

    async def content(self, page: Page) -> Reading | Rejection:
        """The content of a page, from ``read`` if that was called. Raises as ``read``."""
        if isinstance(page.reading, Reading | Rejection):
            return page.reading
        return (await self._answer(page)).found

    async def read_again(self, task: ContentTask) -> Content | Rejection:
        """The content of a page that was read before. Raises WorkerError."""
        try:
            return await self._pool.read_again(task)
        except (WorkerError, asyncio.CancelledError):
            raise
        except Exception as error:
            _log.exception("could not read %s again", task.url)
            return failed(error)

    async def with_blocks(self, task: ContentTask) -> Content | Rejection:
        """As ``read_again``, with the memory of the page's site, and the page's blocks."""
        site = await self._sites.full(host_key(task.url)) if self._sites is not None else None
        return await self.read_again(replace(task, site=site, with_blocks=True))

    def remember_page(self, page: Page) -> None:
        """Call it when a page became a document: its exact copies need not be extracted."""
        if self._known is not None:
            self._known.add(page)

    def remember(self, name: str, html: Html) -> None:
        """As ``remember_page``, by the id of a document and what it was read from."""
        if self._known is not None:
            self._known.add_html(name, html)

    @property
    def unclassified(self) -> int:
        """Screenshots that the network could not classify so far; their HTML alone was used."""
        return self._screenshots.failed if self._screenshots is not None else 0

    @property
    def replaced(self) -> int:
        """Worker processes that died or were killed so far."""
        return self._pool.replaced

    async def _answer(self, page: Page, scan: ScanTask | None = None) -> Answer[Reading]:
        rejection = self._known.judge(page) if self._known is not None else None
        site = await self._sites.full(host_key(page.url)) if self._sites is not None else None
        task = replace(PageTask.of(page), scan=scan, rejection=rejection, site=site)
        answer = await self._pool.read(task)
        found = answer.found
        if not isinstance(found, Reading) or not self._kinds.leaves_doubt(found.prediction):
            return answer
        seen = await self._predict_screenshot(page)
        if seen is None:
            return answer
        if self._depends_on_kind or found.kind is not None:
            return await self._pool.read(replace(task, screenshot=seen))
        prediction = self._kinds.judged(found.prediction, seen)
        return answer._replace(found=replace(found, prediction=prediction))

    async def _predict_screenshot(self, page: Page) -> Prediction | None:
        if self._screenshots is None or page.screenshot is None:
            return None
        return await self._screenshots.predict(page.screenshot)


def _drops_exact_copies(job: Job) -> bool:
    """Whether duplicates are dropped and the text of a page does not depend on its URL."""
    has_urls = job.extraction.links or job.extraction.images
    return job.filters.duplicates == "drop" and not has_urls

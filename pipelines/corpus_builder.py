"""The whole pipeline of a page: genre, extraction, metadata, filters, shard.

    async with CorpusBuilder(job, folder, frontier, on_failure=report) as builder:
        document, rejection = await builder.process(page)

Independent of Scrapy; ``pipelines.item_pipeline`` connects it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final, Self

from crawler.discovery.page_scan import PageScan, ScannedPage, ScanTask
from crawler.frontier.base import Frontier
from crawler.frontier.worker_name import WORKER
from crawler.items import Document, Page
from crawler.outcomes import Rejection
from genre_model.prediction import Prediction
from pipelines.corpus.errors import CorpusError
from pipelines.corpus_output import CorpusOutput
from pipelines.filters.identical_pages import KnownPages
from pipelines.reading.documents import document_of, task_of
from pipelines.reading.page_reader import Reading
from pipelines.reading.screenshots import Classifier, ScreenshotBatches, shipped
from pipelines.reading.worker_pool import WorkerError, WorkerPool
from pipelines.reading.worker_process import Answer, failed
from settings.job import Job

_log = logging.getLogger(__name__)

# After these errors, no later page can be kept either.
FATAL: Final = (CorpusError, WorkerError)


class CorpusBuilder:
    """Turns pages into the corpus in ``folder``. Use as an async context manager, in one loop.

    frontier: receives an acknowledgement for every page that is safe on disk.
    on_failure: see ``CorpusOutput``.
    writer: the worker's name, part of its file names.
    load: loads the screenshot network; called only if the job renders pages.
    """

    def __init__(
        self,
        job: Job,
        folder: Path,
        frontier: Frontier,
        *,
        on_failure: Callable[[CorpusError], None],
        writer: str = WORKER,
        load: Callable[[], Classifier] = shipped,
    ) -> None:
        self.output = CorpusOutput(
            folder,
            writer,
            frontier,
            on_failure=on_failure,
            filters=job.filters,
            outputs=job.outputs,
        )
        self._politeness = job.politeness
        self._known = KnownPages() if _drops_exact_copies(job) else None
        self._pool = WorkerPool(job.genres, job.extraction, size=job.limits.processes)
        renders = job.rendering.mode != "never"
        self._screenshots = ScreenshotBatches(load) if renders else None
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Open the corpus and start the workers. Raises CorpusError, WorkerError."""
        async with AsyncExitStack() as stack:
            # Exits in reverse order: the readers stop before the output completes the corpus.
            await stack.enter_async_context(self.output)
            _log.info("starting the worker processes and loading the models")
            began = time.monotonic()
            loading: list[Awaitable[object]] = [stack.enter_async_context(self._pool)]
            if self._screenshots is not None:
                loading.append(stack.enter_async_context(self._screenshots))
            for result in await asyncio.gather(*loading, return_exceptions=True):
                if isinstance(result, BaseException):
                    raise result
            _log.info("models loaded in %.0f s", time.monotonic() - began)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def read(self, page: Page) -> ScannedPage:
        """Read the links and the content of a page in one parse; ``process`` uses the result.

        The scan is returned even if the content cannot be read. Raises CorpusError or WorkerError
        if no more pages can be processed.
        """
        try:
            answer = await self._answer(page, ScanTask.of(page, self._politeness))
        except (*FATAL, asyncio.CancelledError):
            raise
        except Exception as error:
            _log.exception("could not read %s", page.url)
            answer = Answer(failed(error))
        scan, found = answer.scan, answer.found
        if scan is None and isinstance(found, Rejection):
            scan = PageScan(empty=found)
        return ScannedPage(replace(page, reading=found), scan or PageScan())

    async def process(self, page: Page) -> tuple[Document, Rejection | None]:
        """Returns the page's document, and the rejection if it is not kept.

        The page is acknowledged later, once its line is on disk. Raises CorpusError or WorkerError
        if no more pages can be processed; any other error becomes a rejection.
        """
        try:
            return await self._processed(page)
        except (*FATAL, asyncio.CancelledError):
            raise
        except Exception as error:
            _log.exception("could not process %s", page.url)
            return await self.reject(page, failed(error))

    async def reject(self, page: Page, rejection: Rejection) -> tuple[Document, Rejection]:
        """Write a page that was rejected before it was read."""
        document = Document.of(page)
        await self.output.reject(page, document, rejection)
        return document, rejection

    @property
    def unclassified(self) -> int:
        """Screenshots that the network could not classify so far; their HTML alone was used."""
        return self._screenshots.failed if self._screenshots is not None else 0

    @property
    def replaced(self) -> int:
        """Worker processes that died or were killed so far."""
        return self._pool.replaced

    async def close(self) -> None:
        """Write and acknowledge all pages so far. Raises CorpusError."""
        await self._stack.aclose()

    async def _processed(self, page: Page) -> tuple[Document, Rejection | None]:
        found = page.reading
        if not isinstance(found, Reading | Rejection):
            found = (await self._answer(page)).found
        if isinstance(found, Rejection):
            return await self.reject(page, found)
        document = document_of(page, found)
        rejection = await self.output.take(page, document)
        if rejection is None and self._known is not None:
            self._known.add(page)
        return document, rejection

    async def _answer(self, page: Page, scan: ScanTask | None = None) -> Answer:
        rejection = self._known.judge(page) if self._known is not None else None
        task = task_of(page, await self._predict_screenshot(page))
        return await self._pool.read(replace(task, scan=scan, rejection=rejection))

    async def _predict_screenshot(self, page: Page) -> Prediction | None:
        if self._screenshots is None or page.screenshot is None:
            return None
        return await self._screenshots.predict(page.screenshot)


def _drops_exact_copies(job: Job) -> bool:
    """Whether duplicates are dropped and the text of a page does not depend on its URL."""
    has_urls = job.extraction.links or job.extraction.images
    return job.filters.duplicates == "drop" and not has_urls

"""A page's whole way through the pipeline: genre, extraction, metadata, filters, shard.

    async with CorpusBuilder(job, folder, frontier, on_failure=tell) as builder:
        result = await builder.process(page)

Knows nothing of Scrapy; ``pipelines.item_pipeline`` puts it there.
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

from crawler.frontier.base import Frontier
from crawler.items import Document, Page
from crawler.page_look import Look, LookTask, ReadPage
from crawler.verdicts import Rejection
from crawler.worker_name import WORKER
from genre_model.prediction import Prediction
from pipelines.corpus_output import CorpusOutput
from pipelines.documents import document_of, task_of
from pipelines.errors import CorpusError
from pipelines.known_pages import KnownPages
from pipelines.page_reader import Reading
from pipelines.page_worker import Answer, failed
from pipelines.screenshots import Classifier, ScreenshotBatches, shipped
from pipelines.worker_pool import WorkerError, WorkerPool
from settings.job import Job

_log = logging.getLogger(__name__)

# After these nothing that comes later can be kept either.
FATAL: Final = (CorpusError, WorkerError)


class CorpusBuilder:
    """Carries pages to the corpus in ``folder``. Use it as an async context manager, in one loop.

    frontier: is told of every page that is safe on the disk.
    on_failure: as ``CorpusOutput`` has it.
    writer: the worker's name, part of its file names.
    load: makes the screenshot network; asked only where the job renders.
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
        self._known = KnownPages() if _is_text_enough(job) else None
        self._pool = WorkerPool(job.genres, job.extraction, size=job.limits.processes)
        renders = job.rendering.mode != "never"
        self._screenshots = ScreenshotBatches(load) if renders else None
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Open the corpus and start the workers. Raises CorpusError, WorkerError."""
        async with AsyncExitStack() as stack:
            # Closed the other way round: what was read is written before the corpus is complete.
            await stack.enter_async_context(self.output)
            _log.info("starting the processes that read pages, and loading the models")
            began = time.monotonic()
            loading: list[Awaitable[object]] = [stack.enter_async_context(self._pool)]
            if self._screenshots is not None:
                loading.append(stack.enter_async_context(self._screenshots))
            for result in await asyncio.gather(*loading, return_exceptions=True):
                if isinstance(result, BaseException):
                    raise result
            _log.info("the models are loaded, in %.0f s", time.monotonic() - began)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def read(self, page: Page) -> ReadPage:
        """Look at the page for the crawl, and read what ``process`` goes on with, in one parse.

        What was seen is there even if the rest cannot be read. Raises CorpusError or WorkerError
        where no page can be taken in any more.
        """
        try:
            answer = await self._answer(page, LookTask.of(page, self._politeness))
        except (*FATAL, asyncio.CancelledError):
            raise
        except Exception as error:
            _log.exception("%s could not be read", page.url)
            answer = Answer(failed(error))
        look, found = answer.look, answer.found
        if look is None and isinstance(found, Rejection):
            look = Look(empty=found)
        return ReadPage(replace(page, reading=found), look or Look())

    async def process(self, page: Page) -> tuple[Document, Rejection | None]:
        """Take a page in; its document, and the rejection that it met if it is not kept.

        The page is acknowledged to the frontier later, once its line is on the disk. Raises
        CorpusError or WorkerError where no page can be taken in any more; anything else that goes
        wrong becomes a rejection.
        """
        try:
            return await self._processed(page)
        except (*FATAL, asyncio.CancelledError):
            raise
        except Exception as error:
            _log.exception("%s could not be processed", page.url)
            return await self.reject(page, failed(error))

    async def reject(self, page: Page, rejection: Rejection) -> tuple[Document, Rejection]:
        """Take in a page that was rejected before it was read."""
        document = Document.of(page)
        await self.output.reject(page, document, rejection)
        return document, rejection

    @property
    def unclassified(self) -> int:
        """Screenshots to which the network had no answer, so far; their pages' HTML had to do."""
        return self._screenshots.failed if self._screenshots is not None else 0

    @property
    def replaced(self) -> int:
        """Reading processes that a page killed, or somebody else, so far."""
        return self._pool.replaced

    async def close(self) -> None:
        """Write and acknowledge all that was taken in. Raises CorpusError."""
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

    async def _answer(self, page: Page, look: LookTask | None = None) -> Answer:
        rejection = self._known.judge(page) if self._known is not None else None
        task = task_of(page, await self._seen(page))
        return await self._pool.read(replace(task, look=look, rejection=rejection))

    async def _seen(self, page: Page) -> Prediction | None:
        if self._screenshots is None or page.screenshot is None:
            return None
        return await self._screenshots.predict(page.screenshot)


def _is_text_enough(job: Job) -> bool:
    """Whether each text is wanted once, and pages of the same bytes have the same text."""
    has_urls = job.extraction.links or job.extraction.images
    return job.filters.duplicates == "drop" and not has_urls

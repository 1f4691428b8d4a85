"""A pool of worker processes that read pages under a time limit, so no page can block the crawl.

    async with WorkerPool(job.genres, job.extraction, size=2, timeout=30) as pool:
        answer = await pool.read(task)

The workers take the pages that wait in batches. A worker that exceeds the limit is killed and
replaced, as is one that crashes. Only the page that caused it is affected, and its scan is kept if
it was already there; the others of its batch are read again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple, Self

from corpus_commons.cores import usable_cores
from crawler.outcomes import TIMEOUT, Rejection
from pipelines.reading.batches import Batches
from pipelines.reading.content import Content, ContentTask, Reading
from pipelines.reading.page_reader import PageTask, Task
from pipelines.reading.worker import LostError, Serve, Worker, WorkerError
from pipelines.reading.worker_process import TOGETHER, Answer, serve
from settings.tables.extraction import Extraction
from settings.tables.genres import Genres

READ_SECONDS: Final = 30.0
# For starting a process, importing the libraries and loading the models.
LOAD_SECONDS: Final = 120.0


class _Asked(NamedTuple):
    task: Task
    answer: asyncio.Future[Answer[Any]]


class WorkerPool:
    """A pool of worker processes. Use as an async context manager, in one loop.

    genres: the job's thresholds and extraction methods.
    extraction: the output format.
    size: how many processes; by default one for each usable core.
    timeout: seconds that reading a page may take. load_timeout: seconds that starting may take.
    serve: what the processes run; with another reader, they read something else.
    """

    def __init__(
        self,
        genres: Genres | None = None,
        extraction: Extraction | None = None,
        *,
        size: int | None = None,
        timeout: float = READ_SECONDS,
        load_timeout: float = LOAD_SECONDS,
        serve: Serve = serve,
    ) -> None:
        count = size or usable_cores()
        choices = genres or Genres(), extraction or Extraction()
        self._workers = [
            Worker(*choices, serve, timeout=timeout, load_timeout=load_timeout)
            for _ in range(count)
        ]
        # The threads, one for each worker, take batches by themselves, so that no worker has to
        # wait for the event loop.
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="page worker")
        self._batches: Batches[_Asked] = Batches(count)
        self._loop: asyncio.AbstractEventLoop

    @property
    def replaced(self) -> int:
        """How many workers were killed or died."""
        return sum(worker.losses for worker in self._workers)

    async def __aenter__(self) -> Self:
        """Start the workers. Raises WorkerError, MethodError if the job's cannot be loaded."""
        self._loop = asyncio.get_running_loop()
        # The first loads for all: if it cannot, the others need not try.
        for some in (self._workers[:1], self._workers[1:]):
            started = [self._loop.run_in_executor(self._threads, one.start) for one in some]
            for result in await asyncio.gather(*started, return_exceptions=True):
                if isinstance(result, BaseException):
                    await self.close()
                    raise result
        for worker in self._workers:
            self._threads.submit(self._work, worker)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def read(self, task: PageTask) -> Answer[Reading]:
        """The page's reading, or the rejection that says why there is none.

        Raises WorkerError if a lost worker cannot be replaced, or the pool is closed.
        """
        return await self._ask(task)

    async def read_again(self, task: ContentTask) -> Content | Rejection:
        """The page's content, as ``read`` gives its reading. Raises WorkerError."""
        answer: Answer[Content] = await self._ask(task)
        return answer.found

    async def close(self) -> None:
        """Kill the processes, whatever they are doing."""
        for worker in self._workers:
            worker.end()
        self._batches.close()
        await asyncio.to_thread(self._threads.shutdown)

    async def _ask(self, task: Task) -> Answer[Any]:
        asked = _Asked(task, self._loop.create_future())
        try:
            self._batches.put(asked, len(task.html.content))
        except ValueError:
            raise WorkerError("the worker pool is closed") from None
        # If the caller is cancelled, the worker still finishes its batch before it takes another.
        return await asked.answer

    def _work(self, worker: Worker) -> None:
        """Have batches read by the worker until the pool is closed."""
        while batch := self._batches.take():
            try:
                self._read(worker, batch)
            except BaseException as error:
                self._loop.call_soon_threadsafe(_fail, batch, error)

    def _read(self, worker: Worker, batch: list[_Asked]) -> None:
        """Have a batch read, with another process if one is lost. Raises WorkerError."""
        try:
            self._settle(batch, worker.read([one.task for one in batch]))
        except LostError as lost:
            if lost.number == TOGETHER:
                for one in batch:
                    self._read(worker, [one])
                return
            asked = batch[lost.number]
            others = [one for one in batch if one is not asked]
            if others:
                self._read(worker, others)
            self._settle([asked], [self._second_answer(worker, asked.task, lost.answer)])

    def _second_answer(self, worker: Worker, task: Task, first: Answer[Content]) -> Answer[Content]:
        """What becomes of a page whose worker was lost. Raises WorkerError.

        If the process died, the page is tried once more in a new one: it may not have been the
        page's fault, for example if the OOM killer chose it.
        """
        is_timeout = isinstance(first.found, Rejection) and first.found.reason == TIMEOUT
        if is_timeout or worker.is_ended:
            return first
        try:
            [answer] = worker.read([task])
        except LostError as lost:
            return lost.answer
        return answer

    def _settle(self, batch: Sequence[_Asked], answers: Sequence[Answer[Content]]) -> None:
        self._loop.call_soon_threadsafe(_settle, batch, answers)


def _settle(batch: Sequence[_Asked], answers: Sequence[Answer[Content]]) -> None:
    for one, answer in zip(batch, answers, strict=True):
        if not one.answer.done():
            one.answer.set_result(answer)


def _fail(batch: Sequence[_Asked], error: BaseException) -> None:
    for one in batch:
        if not one.answer.done():
            one.answer.set_exception(error)

"""A pool of worker processes that read pages under a time limit, so no page can block the crawl.

    async with WorkerPool(job.genres, job.extraction, size=2, timeout=30) as pool:
        answer = await pool.read(task)

A worker that exceeds the limit is killed and replaced, as is one that crashes. Only the page that
caused it is affected, and its scan is kept if it was already there.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Final, Self

from corpus_commons.processes import WorkerDiedError, WorkerProcess, usable_cores
from crawler.discovery.page_scan import PageScan
from crawler.exit_codes import CrawlError
from crawler.outcomes import TIMEOUT, Rejection
from pipelines.reading.content import Content, ContentTask
from pipelines.reading.page_reader import PageTask
from pipelines.reading.worker_process import ENVIRONMENT, Answer, serve
from settings.tables.extraction import Extraction
from settings.tables.genres import Genres

CRASHED: Final = "crashed"

READ_SECONDS = 30.0
# For starting a process, importing the libraries and loading the models.
LOAD_SECONDS = 120.0

# If a process is killed while it starts, as happens when memory is short, try this often again.
_START_RETRIES = 4

Serve = Callable[[Connection, Genres, Extraction], None]


class WorkerError(RuntimeError):
    """Workers cannot be started; the message says why."""


class MethodError(WorkerError, CrawlError):
    """The job's extraction methods cannot be loaded."""


class _KilledError(WorkerError):
    """The process was killed while it started, for example by the kernel's OOM killer."""


class WorkerPool:
    """A pool of worker processes. Use as an async context manager, in one loop.

    genres: the job's thresholds and extraction methods.
    extraction: the output format.
    size: how many processes; by default one for each usable core.
    timeout: seconds that reading a page may take. load_timeout: seconds that starting may take.
    serve: what the processes run; tests replace it.
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
        choices = (genres or Genres(), extraction or Extraction())
        self._workers = [_Worker(choices, timeout, load_timeout, serve) for _ in range(count)]
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="page worker")
        self._free: SimpleQueue[_Worker] = SimpleQueue()

    @property
    def replaced(self) -> int:
        """How many workers were killed or died."""
        return sum(worker.losses for worker in self._workers)

    async def __aenter__(self) -> Self:
        """Start the workers. Raises WorkerError, MethodError if the job's cannot be loaded."""
        loop = asyncio.get_running_loop()
        started = [loop.run_in_executor(self._threads, one.start) for one in self._workers]
        results = await asyncio.gather(*started, return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                await self.close()
                raise result
        for worker in self._workers:
            self._free.put(worker)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def read(self, task: PageTask) -> Answer:
        """The page's reading, or the rejection that says why there is none.

        Raises WorkerError if a lost worker cannot be replaced.
        """
        return await self._asked(task)

    async def read_again(self, task: ContentTask) -> Content | Rejection:
        """The page's content, as ``read`` gives its reading. Raises WorkerError."""
        return (await self._asked(task)).found

    async def _asked(self, task: PageTask | ContentTask) -> Answer:
        # The threads, one for each worker, take tasks from their own queue, so that no worker has
        # to wait for the event loop.
        reading = asyncio.get_running_loop().run_in_executor(self._threads, self._ask, task)
        # If the caller is cancelled, the worker still finishes its page before it takes another.
        return await asyncio.shield(reading)

    async def close(self) -> None:
        """Kill the processes, whatever they are doing."""
        for worker in self._workers:
            worker.end()
        await asyncio.to_thread(self._threads.shutdown)

    def _ask(self, task: PageTask | ContentTask) -> Answer:
        worker = self._free.get()
        try:
            return worker.ask(task)
        finally:
            self._free.put(worker)


class _Worker:
    """A slot for one process at a time. Not thread-safe, except ``end``."""

    def __init__(
        self,
        choices: tuple[Genres, Extraction],
        timeout: float,
        load_timeout: float,
        serve: Serve,
    ) -> None:
        self.losses = 0
        self._choices = choices
        self._timeout = timeout
        self._load_timeout = load_timeout
        self._serve = serve
        self._process: WorkerProcess | None = None
        self._ended = False

    def start(self) -> WorkerProcess:
        """Start a process and wait until its models are loaded; retry if it is killed."""
        for _ in range(_START_RETRIES):
            with contextlib.suppress(_KilledError):
                return self._start()
        return self._start()

    def _start(self) -> WorkerProcess:
        if self._ended:
            raise WorkerError("the worker pool is closed")
        self._process = process = WorkerProcess(self._serve, *self._choices, variables=ENVIRONMENT)
        if self._ended:
            process.kill()
        try:
            problem = process.receive(self._load_timeout)
        except TimeoutError:
            why = f"not ready after {self._load_timeout:g} s"
            raise WorkerError(f"could not start a worker process: {why}") from None
        except WorkerDiedError as error:
            kind = _KilledError if process.exit_code == -signal.SIGKILL else WorkerError
            raise kind(f"could not start a worker process: {error}") from None
        if problem is not None:
            process.end()
            raise MethodError(f"could not load the job's extraction methods: {problem}")
        return process

    def ask(self, task: PageTask | ContentTask) -> Answer:
        """The answer of the process; if that is gone, a new one is started.

        If the process dies, the page is tried once more in a new one: it may not have been the
        page's fault, for example if the OOM killer chose it.
        """
        answer = self._try(task)
        is_crash = isinstance(answer.found, Rejection) and answer.found.reason == CRASHED
        return self._try(task) if is_crash and not self._ended else answer

    def _try(self, task: PageTask | ContentTask) -> Answer:
        process = self._process
        if process is None or process.exit_code is not None:
            process = self.start()
        scan: PageScan | None = None
        deadline = time.monotonic() + self._timeout
        process.send(task)
        try:
            while isinstance(message := process.receive(deadline - time.monotonic()), PageScan):
                scan = message
        except TimeoutError:
            found = Rejection(TIMEOUT, f"not read after {self._timeout:g} s")
        except WorkerDiedError as error:
            found = Rejection(CRASHED, f"the worker process died: {error}")
        else:
            return Answer(message, scan)
        self.losses += 1
        return Answer(found, scan)

    def end(self) -> None:
        """Kill the process; may be called from any thread."""
        self._ended = True
        if self._process is not None:
            self._process.kill()

"""A pool of worker processes that read pages under a time limit, so no page can block the crawl.

    async with WorkerPool(job.genres, job.extraction, size=2, timeout=30) as pool:
        answer = await pool.read(task)

A worker that exceeds the limit is killed and replaced, as is one that crashes. Only the page that
caused it is affected, and its scan is kept if it was already there.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import TYPE_CHECKING, Self

from crawler.discovery.page_scan import PageScan
from crawler.outcomes import Rejection
from crawler.process import STARTING
from pipelines.reading.cores import usable_cores
from pipelines.reading.kill_timer import KillTimer, KillWatch
from pipelines.reading.page_reader import PageTask
from pipelines.reading.processes import environment, reason_of_death, sigint_blocked
from pipelines.reading.worker_process import ENVIRONMENT, Answer, Found, NotReady, serve
from settings.tables.extraction import Extraction
from settings.tables.genres import Genres

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

TIMEOUT = "timeout"
CRASHED = "crashed"

READ_SECONDS = 30.0
# For starting a process, importing the libraries and loading the models.
LOAD_SECONDS = 120.0

# If a process is killed while it starts, as happens when memory is short, try this often again.
_START_RETRIES = 4

Serve = Callable[[Connection, Genres, Extraction], None]


class WorkerError(RuntimeError):
    """Workers cannot be started; the message says why."""


class MethodError(WorkerError):
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
        self._watch = KillWatch([worker.timer for worker in self._workers])

    @property
    def replaced(self) -> int:
        """How many workers were killed or died."""
        return sum(worker.losses for worker in self._workers)

    async def __aenter__(self) -> Self:
        """Start the workers. Raises WorkerError, MethodError if the job's cannot be loaded."""
        self._watch.start()
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
        self._watch.end()

    def _ask(self, task: PageTask) -> Answer:
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
        self.timer = KillTimer()
        self._choices = choices
        self._timeout = timeout
        self._load_timeout = load_timeout
        self._serve = serve
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None
        self._ended = False

    def start(self) -> None:
        """Start a process and wait until its models are loaded; retry if it is killed."""
        for _ in range(_START_RETRIES):
            with contextlib.suppress(_KilledError):
                return self._start()
        return self._start()

    def _start(self) -> None:
        if self._ended:
            raise WorkerError("the worker pool is closed")
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=self._serve, args=(theirs, *self._choices), daemon=True)
        with STARTING, environment(ENVIRONMENT), sigint_blocked():
            process.start()
        theirs.close()
        self._process, self._connection = process, ours
        if self._ended:
            process.kill()
        try:
            with self.timer.limit(process, self._load_timeout):
                message = ours.recv()
        except (EOFError, OSError):
            died = self._reap()
            why = f"not ready after {self._load_timeout:g} s" if self.timer.fired else died
            was_killed = process.exitcode == -signal.SIGKILL and not self.timer.fired
            kind = _KilledError if was_killed else WorkerError
            raise kind(f"could not start a worker process: {why}") from None
        if isinstance(message, NotReady):
            self._reap()
            raise MethodError(f"could not load the job's extraction methods: {message.reason}")

    def ask(self, task: PageTask) -> Answer:
        """The answer of the process; if that is gone, a new one is started.

        If the process dies, the page is tried once more in a new one: it may not have been the
        page's fault, for example if the OOM killer chose it.
        """
        answer = self._try(task)
        if _is_crash(answer) and not self._ended:
            answer = self._try(task)
        return answer

    def _try(self, task: PageTask) -> Answer:
        if self._process is None or not self._process.is_alive():
            self._reap()
            self.start()
        process, connection = self._process, self._connection
        if process is None or connection is None:
            raise WorkerError("the worker pool is closed")
        scan: PageScan | None = None
        found: Found
        try:
            with self.timer.limit(process, self._timeout):
                connection.send(task)
                message: PageScan | Found = connection.recv()
                while isinstance(message, PageScan):
                    scan = message
                    message = connection.recv()
                found = message
        except (EOFError, OSError):
            self.losses += 1
            died = self._reap()
            found = Rejection(CRASHED, f"the worker process died: {died}")
            if self.timer.fired:
                found = Rejection(TIMEOUT, f"not read after {self._timeout:g} s")
        return Answer(found, scan)

    def end(self) -> None:
        """Kill the process; may be called from any thread."""
        self._ended = True
        process = self._process
        if process is not None:
            with contextlib.suppress(ValueError):
                process.kill()

    def _reap(self) -> str:
        """Make sure that the process has ended; returns how, for the user."""
        process, connection = self._process, self._connection
        self._process = self._connection = None
        if process is None or connection is None:
            return "it was not running"
        connection.close()
        # The pipe closes shortly before the process ends: let it end by itself first.
        process.join(1)
        process.kill()
        process.join()
        return reason_of_death(process.exitcode)


def _is_crash(answer: Answer) -> bool:
    return isinstance(answer.found, Rejection) and answer.found.reason == CRASHED

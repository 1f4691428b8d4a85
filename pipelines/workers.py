"""Pages read in worker processes under a kill timer, so that no page can hold up the crawl.

    async with WorkerPool(job.genres, size=2, timeout=30) as pool:
        answer = await pool.read(task)

A page that takes longer than its time costs its worker's life, and its own result only; a worker
that dies of a page is replaced likewise. Callers wait for a free worker, so that no more pages are
in memory than there are callers.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Self

from crawler.items import Rejection
from pipelines.page_reader import PageTask
from pipelines.page_worker import ENVIRONMENT, Answer, NotReady, serve
from settings.tables.genres import Genres

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

TIMEOUT = "timeout"
CRASHED = "crashed"

READ_SECONDS = 30.0
# Starting a process, importing the libraries and loading the models.
LOAD_SECONDS = 120.0

Serve = Callable[[Connection, Genres], None]

# One process starts at a time: they take the environment of this one.
_starting = threading.Lock()


class WorkerError(RuntimeError):
    """Workers cannot be started; the message says why."""


class WorkerPool:
    """A pool of worker processes. Use it as an async context manager, in one loop.

    genres: the job's thresholds and extraction methods.
    size: how many processes; one for each core where None.
    timeout: seconds that a page may take.
    serve: what the processes run; tests put in pages that hang.
    """

    def __init__(
        self,
        genres: Genres | None = None,
        *,
        size: int | None = None,
        timeout: float = READ_SECONDS,
        load_timeout: float = LOAD_SECONDS,
        serve: Serve = serve,
    ) -> None:
        count = size or os.cpu_count() or 1
        self._workers = [
            _Worker(genres or Genres(), timeout, load_timeout, serve) for _ in range(count)
        ]
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="page worker")
        self._free: asyncio.Queue[_Worker] = asyncio.Queue()

    @property
    def replaced(self) -> int:
        """How many workers were killed or died."""
        return sum(worker.losses for worker in self._workers)

    async def __aenter__(self) -> Self:
        """Start the workers. Raises WorkerError if the job's methods cannot be loaded."""
        loop = asyncio.get_running_loop()
        started = [loop.run_in_executor(self._threads, one.start) for one in self._workers]
        results = await asyncio.gather(*started, return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                await self.close()
                raise result
        for worker in self._workers:
            self._free.put_nowait(worker)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def read(self, task: PageTask) -> Answer:
        """The page's reading, or the rejection that says why there is none.

        Raises WorkerError if a lost worker cannot be replaced.
        """
        worker = await self._free.get()
        asked = asyncio.get_running_loop().run_in_executor(self._threads, worker.ask, task)
        # A caller that is cancelled leaves the worker busy; it is free when the page is done.
        asked.add_done_callback(lambda _: self._free.put_nowait(worker))
        return await asyncio.shield(asked)

    async def close(self) -> None:
        """End the processes, whatever they are at."""
        for worker in self._workers:
            worker.end()
        await asyncio.to_thread(self._threads.shutdown)


class _Worker:
    """A place for one process. Called from one thread at a time, but for ``end``."""

    def __init__(self, genres: Genres, timeout: float, load_timeout: float, serve: Serve) -> None:
        self.losses = 0
        self._genres = genres
        self._timeout = timeout
        self._load_timeout = load_timeout
        self._serve = serve
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None
        self._ended = False

    def start(self) -> None:
        """Start a process and wait until its models are loaded."""
        if self._ended:
            raise WorkerError("the worker pool is closed")
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=self._serve, args=(theirs, self._genres), daemon=True)
        with _starting, _environment():
            process.start()
        theirs.close()
        self._process, self._connection = process, ours
        if self._ended:
            process.kill()
        timer = _KillTimer(process, self._load_timeout)
        try:
            with timer:
                message = ours.recv()
        except (EOFError, OSError):
            why = f"no answer after {self._load_timeout:g} s" if timer.fired else self._bury()
            raise WorkerError(f"a worker process did not start: {why}") from None
        if isinstance(message, NotReady):
            self._bury()
            raise WorkerError(f"the job's extraction methods cannot be loaded: {message.reason}")

    def ask(self, task: PageTask) -> Answer:
        """The answer of the process, which is a new one where the old one is gone."""
        if self._process is None or not self._process.is_alive():
            self._bury()
            self.start()
        process, connection = self._process, self._connection
        if process is None or connection is None:
            raise WorkerError("the worker pool is closed")
        timer = _KillTimer(process, self._timeout)
        try:
            with timer:
                connection.send(task)
                answer: Answer = connection.recv()
        except (EOFError, OSError):
            self.losses += 1
            died = self._bury()
            if timer.fired:
                return Rejection(TIMEOUT, f"not read after {self._timeout:g} s")
            return Rejection(CRASHED, f"the process that read the page ended: {died}")
        return answer

    def end(self) -> None:
        """Kill the process; may be called from another thread, which then sees it dead."""
        self._ended = True
        process = self._process
        if process is not None:
            with contextlib.suppress(ValueError):
                process.kill()

    def _bury(self) -> str:
        """Make sure that the process is gone; how it ended, for a person."""
        process, connection = self._process, self._connection
        self._process = self._connection = None
        if process is None or connection is None:
            return "there was none"
        connection.close()
        # Its end of the pipe closes a moment before it does.
        process.join(1)
        process.kill()
        process.join()
        return _reason_of_death(process.exitcode)


class _KillTimer:
    """Kills a process unless the block is left in time; ``fired`` says whether it did."""

    def __init__(self, process: SpawnProcess, seconds: float) -> None:
        self.fired = False
        self._process = process
        self._timer = threading.Timer(seconds, self._fire)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        # A timer that has begun to kill finishes first, so that no later page is blamed.
        self._timer.join()

    def _fire(self) -> None:
        self.fired = True
        self._process.kill()


def _reason_of_death(exit_code: int | None) -> str:
    """What an exit code says.

    >>> _reason_of_death(-11), _reason_of_death(3)
    ('killed by signal 11 (Segmentation fault)', 'status 3')
    """
    if exit_code is not None and exit_code < 0:
        return f"killed by signal {-exit_code} ({signal.strsignal(-exit_code)})"
    return f"status {exit_code}"


@contextlib.contextmanager
def _environment() -> Iterator[None]:
    """The worker's environment variables, for the process that is started within."""
    before = {name: os.environ.get(name) for name in ENVIRONMENT}
    os.environ.update(ENVIRONMENT)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value

"""A worker of the pool: one process at a time, which is killed if it takes too long."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Final

from corpus_commons.processes import WorkerDiedError, WorkerProcess
from crawler.discovery.page_scan import PageScan
from crawler.exit_codes import CrawlError
from crawler.outcomes import TIMEOUT, Rejection
from pipelines.reading.content import Content
from pipelines.reading.page_reader import Task
from pipelines.reading.worker_process import ENVIRONMENT, TOGETHER, Answer
from settings.tables.extraction import Extraction
from settings.tables.genres import Genres

CRASHED: Final = "crashed"

_LOADED: Final = "pipelines.reading.loaded_models"
# If a process is killed while it starts, as happens when memory is short, try this often again.
_START_RETRIES: Final = 4

Serve = Callable[[Connection, Genres, Extraction], None]


class WorkerError(RuntimeError):
    """Workers cannot be started; the message says why."""


class MethodError(WorkerError, CrawlError):
    """The job's extraction methods cannot be loaded."""


class _KilledError(WorkerError):
    """The process was killed while it started, for example by the kernel's OOM killer."""


class LostError(Exception):
    """The process was lost while it read a batch.

    number: of the page that it was at; TOGETHER if that is not known.
    answer: to that page, if it is to blame.
    """

    def __init__(self, number: int, answer: Answer[Content]) -> None:
        super().__init__(f"page {number}: {answer.found}")
        self.number = number
        self.answer = answer


class Worker:
    """A slot for one process at a time. Not thread-safe, except ``end``.

    timeout: seconds that a page may take. load_timeout: seconds that starting may take.
    losses: processes that were killed or died while they read.
    """

    def __init__(
        self,
        genres: Genres,
        extraction: Extraction,
        serve: Serve,
        *,
        timeout: float,
        load_timeout: float,
    ) -> None:
        self.losses = 0
        self.is_ended = False
        self._choices = genres, extraction
        self._serve = serve
        self._timeout = timeout
        self._load_timeout = load_timeout
        self._process: WorkerProcess | None = None

    def start(self) -> WorkerProcess:
        """Start a process and wait until its models are loaded; retry if it is killed."""
        for _ in range(_START_RETRIES):
            with contextlib.suppress(_KilledError):
                return self._start()
        return self._start()

    def read(self, tasks: Sequence[Task]) -> list[Answer[Content]]:
        """An answer to each task; if the process is gone, a new one is started.

        Raises LostError if this one is lost, WorkerError if none can be started.
        """
        process = self._process
        if process is not None and process.exit_code is not None:
            # It may yet run: of what it is a fork of, that may have been lost.
            process.end()
            process = None
        process = process or self.start()
        # What is done for all pages at once takes a tenth of a second, but more on a busy machine,
        # which a worker that is killed for nothing makes busier. If a page hangs there, it is found
        # by reading the pages one by one.
        left = dict.fromkeys((TOGETHER, *range(len(tasks))), self._timeout)
        number = 0
        scans: list[PageScan | None] | None = None
        process.send(tasks)
        try:
            while True:
                began = time.monotonic()
                message = process.receive(left[number])
                left[number] -= time.monotonic() - began
                if isinstance(message, int):
                    number = message if len(tasks) > 1 else 0
                elif scans is None:
                    scans = message
                else:
                    return [Answer(*one) for one in zip(message, scans, strict=True)]
        except TimeoutError:
            found = Rejection(TIMEOUT, f"not read after {self._timeout:g} s")
        except WorkerDiedError as error:
            found = Rejection(CRASHED, f"the worker process died: {error}")
        self.losses += 1
        raise LostError(number, Answer(found, scans[number] if scans else None))

    def end(self) -> None:
        """Kill the process; may be called from any thread."""
        self.is_ended = True
        if self._process is not None:
            self._process.kill()

    def _start(self) -> WorkerProcess:
        if self.is_ended:
            raise WorkerError("the worker pool is closed")
        process = None
        try:
            self._process = process = WorkerProcess(
                self._serve,
                *self._choices,
                variables=ENVIRONMENT,
                loaded=_LOADED,
                seconds=self._load_timeout,
            )
            if self.is_ended:
                process.kill()
            problem = process.receive(self._load_timeout)
        except TimeoutError:
            why = f"not ready after {self._load_timeout:g} s"
            raise WorkerError(f"could not start a worker process: {why}") from None
        except WorkerDiedError as error:
            was_killed = process is None or process.exit_code == -signal.SIGKILL
            kind = _KilledError if was_killed else WorkerError
            raise kind(f"could not start a worker process: {error}") from None
        if problem is not None:
            process.end()
            raise MethodError(f"could not load the job's extraction methods: {problem}")
        return process

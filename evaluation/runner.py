"""Runs methods on pages in worker processes with a timeout; no page is skipped.

All methods for a page run in the same worker, so its HTML is sent once. A method that times out or
crashes the process only loses its own result: the worker is replaced, and the page's remaining
methods run in the new one.

Methods that share a library's caches (such as trafilatura's three) speed each other up; to measure
the exact speed of one, run it alone.
"""

from __future__ import annotations

import multiprocessing
import time
from collections import deque
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Self

from evaluation.results import CRASH, LOAD, TIMEOUT, PageKey, Result
from evaluation.worker import ENVIRONMENT, WARM_PAGE, Finished, Loading, Ready, Started, Task, serve
from pipelines.reading.processes import environment, reason_of_death, sigint_blocked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from multiprocessing.context import SpawnProcess
    from types import TracebackType

    from evaluation.worker import Message

# For starting a process and loading a model; importing TensorFlow alone takes many seconds.
_LOAD_SECONDS = 180.0

# If workers die this often in a row before a method runs, the run is aborted.
_MOST_STILLBIRTHS = 3


class Runner:
    """A pool of worker processes; use it as a context manager, which ends them.

    jobs: the number of workers.
    timeout: seconds that a method may take for one page.
    memory_bytes: limit of a worker's address space; None for no limit.
    """

    def __init__(
        self,
        *,
        jobs: int = 1,
        timeout: float = 30.0,
        memory_bytes: int | None = None,
    ) -> None:
        self._slots = [_Slot(timeout, memory_bytes) for _ in range(jobs)]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for slot in self._slots:
            slot.end()

    def unavailable(self, methods: Iterable[str]) -> dict[str, str]:
        """The methods that cannot be loaded, with the reasons; all others are loaded afterwards."""
        trial = Task(PageKey("", ""), WARM_PAGE, None, None, tuple(methods))
        return {
            result.method: result.error.removeprefix(f"{LOAD}: ")
            for result in self.run([trial])
            if result.error is not None and result.failure == LOAD
        }

    def run(self, tasks: Iterable[Task]) -> Iterator[Result]:
        """One result per page and method, in order of completion; ``tasks`` is read lazily."""
        source = iter(tasks)
        leftovers: deque[Task] = deque()
        while True:
            for slot in self._slots:
                if slot.task is None:
                    task = leftovers.popleft() if leftovers else next(source, None)
                    if task is None:
                        break
                    slot.give(task)
            busy = [slot for slot in self._slots if slot.task is not None]
            if not busy:
                return
            _wait_for_any(busy)
            for slot in busy:
                results, remaining = slot.advance()
                if remaining is not None:
                    leftovers.append(remaining)
                yield from results


class _Slot:
    """One worker process at a time, and its state.

    The process is started for the first task, and again for the next task after its end.
    """

    def __init__(self, timeout: float, memory_bytes: int | None) -> None:
        self.task: Task | None = None
        self.deadline = 0.0
        self._timeout = timeout
        self._memory_bytes = memory_bytes
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None
        self._ready = False
        self._done = 0
        # The method that the worker is running or loading, and the kind of failure if it dies now.
        self._method: str | None = None
        self._loading = False
        self._stillbirths = 0

    @property
    def waitables(self) -> list[Connection | int]:
        if self._process is None or self._connection is None:
            return []
        return [self._connection, self._process.sentinel]

    def give(self, task: Task) -> None:
        """Assign a task; it is sent once the process is ready."""
        self.task, self._done, self._method = task, 0, None
        if self._process is None:
            self._start()
        elif self._ready:
            self._send(task)

    def advance(self) -> tuple[list[Result], Task | None]:
        """Read the worker's messages and enforce its deadline.

        Returns new results and, if the worker was lost, the task with the remaining methods.
        """
        results: list[Result] = []
        # Checked before reading its messages: a dead process has already sent all of them.
        alive = self._process is not None and self._process.is_alive()
        while self.task is not None:
            message = self._receive()
            if message is None:
                break
            results.extend(self._take(message))
        if self.task is None:
            return results, None
        if not alive:
            return self._lose(results, f"{CRASH}: {reason_of_death(self.end())}", None)
        if time.monotonic() > self.deadline:
            self.end()
            if self._method is not None and not self._loading:
                reason = f"{TIMEOUT}: no result after {self._timeout:g} s"
                return self._lose(results, reason, self._timeout)
            return self._lose(results, f"no answer after {_LOAD_SECONDS:g} s", None)
        return results, None

    def end(self) -> int | None:
        """Kill the worker if there is one; returns its exit code if it was already dead."""
        if self._process is None or self._connection is None:
            return None
        died = None if self._process.is_alive() else self._process.exitcode
        self._process.kill()
        self._process.join()
        self._process.close()
        self._connection.close()
        self._process = self._connection = None
        self._ready = False
        return died

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(
            target=serve, args=(theirs, self._memory_bytes), daemon=True
        )
        with environment(ENVIRONMENT), sigint_blocked():
            self._process.start()
        theirs.close()
        self.deadline = time.monotonic() + _LOAD_SECONDS

    def _send(self, task: Task) -> None:
        self.deadline = time.monotonic() + _LOAD_SECONDS
        try:
            if self._connection is not None:
                self._connection.send(task)
        except OSError:
            # It died while idle; advance() notices that and passes the task on.
            return

    def _receive(self) -> Message | None:
        """The next message that has arrived; None if there is none or the worker is gone."""
        try:
            if self._connection is None or not self._connection.poll():
                return None
            message: Message = self._connection.recv()
        except (EOFError, OSError):
            # The other end is closed: the process is terminating.
            if self._process is not None:
                self._process.join(1)
            return None
        return message

    def _take(self, message: Message) -> list[Result]:
        task = self.task
        if task is None:
            return []
        match message:
            case Ready():
                self._ready, self._stillbirths = True, 0
                self._send(task)
            case Loading(method):
                self._method, self._loading = method, True
                self.deadline = time.monotonic() + _LOAD_SECONDS
            case Started(method, at):
                self._method, self._loading = method, False
                self.deadline = at + self._timeout
            case Finished():
                self._method = None
                self._done += 1
                self.deadline = time.monotonic() + _LOAD_SECONDS
                if self._done == len(task.methods):
                    self.task = None
                return [self._result(task.page, message)]
        return []

    def _result(self, page: PageKey, finished: Finished) -> Result:
        """The result of a message; a late one counts as a timeout."""
        if finished.seconds is not None and finished.seconds > self._timeout:
            reason = f"{TIMEOUT}: no result after {self._timeout:g} s"
            return Result(page, finished.method, "", self._timeout, reason)
        return Result(page, *finished)

    def _lose(
        self, results: list[Result], reason: str, seconds: float | None
    ) -> tuple[list[Result], Task | None]:
        """Give up the worker: its current method fails, the rest of the task is passed on."""
        task, self.task = self.task, None
        if task is None:
            return results, None
        if self._method is not None:
            if self._loading:
                reason = f"{LOAD}: {reason}"
            results.append(Result(task.page, self._method, "", seconds, reason))
            self._done += 1
        else:
            self._stillbirths += 1
            if self._stillbirths >= _MOST_STILLBIRTHS:
                raise RuntimeError(f"worker processes do not start: {reason}")
        remaining = task.methods[self._done :]
        return results, task._replace(methods=remaining) if remaining else None


def _wait_for_any(slots: list[_Slot]) -> None:
    """Sleep until a worker has sent a message, died, or exceeded its deadline."""
    nearest = min(slot.deadline for slot in slots)
    waitables = [waitable for slot in slots for waitable in slot.waitables]
    wait(waitables, timeout=max(0.0, nearest - time.monotonic()) + 0.001)

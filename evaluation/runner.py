"""Runs methods on pages in worker processes with a timeout; no page is skipped.

All methods for a page run in the same worker, so its HTML is sent once. A method that times out or
crashes the process only loses its own result: the worker is replaced, and the page's remaining
methods run in the new one.

Methods that share a library's caches (such as trafilatura's three) speed each other up; to measure
the exact speed of one, run it alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from queue import SimpleQueue
from typing import Self

from corpus_commons.processes import WorkerDiedError, WorkerProcess
from evaluation.results import CRASH, LOAD, TIMEOUT, PageKey, Result
from evaluation.worker import ENVIRONMENT, WARM_PAGE, Finished, Task, serve

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
        self._workers = [_Worker(timeout, memory_bytes) for _ in range(jobs)]
        self._free: SimpleQueue[_Worker] = SimpleQueue()
        for worker in self._workers:
            self._free.put(worker)
        # Each waits for the answers of one worker.
        self._threads = ThreadPoolExecutor(jobs, thread_name_prefix="evaluation")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.kill()
        self._threads.shutdown()
        for worker in self._workers:
            worker.end()

    def unavailable(self, methods: Iterable[str]) -> dict[str, str]:
        """The methods that cannot be loaded, with the reasons; all others are loaded afterwards."""
        trial = Task(PageKey("", ""), WARM_PAGE, None, None, tuple(methods))
        return {
            result.method: result.error.removeprefix(f"{LOAD}: ")
            for result in self.run([trial])
            if result.error is not None and result.failure == LOAD
        }

    def users_of_memory(self, methods: Iterable[str]) -> tuple[str, ...]:
        """The methods that make marks of a page for a site's memory."""
        asked = tuple(methods)
        page = Task(PageKey("", ""), WARM_PAGE, None, None, asked, dict.fromkeys(asked, ()))
        marked = {
            result.method
            for result in self.run([page])
            if result.on_site is not None and result.on_site.marks is not None
        }
        return tuple(method for method in asked if method in marked)

    def run(self, tasks: Iterable[Task]) -> Iterator[Result]:
        """One result per page and method, in order of completion; ``tasks`` is read lazily.

        Raises RuntimeError if worker processes do not start.
        """
        source = iter(tasks)
        # The results of each page, and then the future of its work.
        found: SimpleQueue[Result | Future[None]] = SimpleQueue()
        under_way = 0
        wanted = len(self._workers)
        while True:
            for task in islice(source, wanted - under_way):
                self._threads.submit(self._work, task, found).add_done_callback(found.put)
                under_way += 1
            if not under_way:
                return
            while isinstance(item := found.get(), Result):
                yield item
            item.result()
            under_way -= 1

    def _work(self, task: Task, found: SimpleQueue[Result | Future[None]]) -> None:
        worker = self._free.get()
        try:
            for method in task.methods:
                found.put(worker.result(task, method))
        finally:
            self._free.put(worker)


class _Worker:
    """One worker process at a time: it is started when it is needed, and again after its end."""

    def __init__(self, timeout: float, memory_bytes: int | None) -> None:
        self._timeout = timeout
        self._memory_bytes = memory_bytes
        self._process: WorkerProcess | None = None
        self._task: Task | None = None
        self._killed = False

    def result(self, task: Task, method: str) -> Result:
        """The result of a method of the task."""
        process = self._process
        if process is None or process.exit_code is not None:
            process = self._started()
            self._task = None
        if self._task is not task:
            process.send(task)
            self._task = task
        process.send(method)
        return Result(task.page, method, *self._answer(process))

    def kill(self) -> None:
        """Kill the process, and start no other; may be called from any thread."""
        self._killed = True
        if self._process is not None:
            self._process.kill()

    def end(self) -> None:
        if self._process is not None:
            self._process.end()

    def _answer(self, process: WorkerProcess) -> Finished:
        try:
            reason: str | None = process.receive(_LOAD_SECONDS)
        except (TimeoutError, WorkerDiedError) as error:
            reason = str(error)
        if reason is not None:
            return Finished("", None, f"{LOAD}: {reason}")
        try:
            finished: Finished = process.receive(self._timeout)
        except TimeoutError:
            late = f"{TIMEOUT}: no result after {self._timeout:g} s"
            return Finished("", self._timeout, late)
        except WorkerDiedError as error:
            return Finished("", None, f"{CRASH}: {error}")
        if finished.error is not None and finished.error.startswith(CRASH):
            # It ended itself, as memory ran out.
            process.end()
        return finished

    def _started(self) -> WorkerProcess:
        reason = "the run has ended"
        for _ in range(_MOST_STILLBIRTHS):
            if self._killed:
                break
            try:
                process = WorkerProcess(
                    serve,
                    self._memory_bytes,
                    variables=ENVIRONMENT,
                    loaded=serve.__module__,
                    seconds=_LOAD_SECONDS,
                )
                self._process = process
                if self._killed:
                    process.kill()
                process.receive(_LOAD_SECONDS)
            except (TimeoutError, WorkerDiedError) as error:
                reason = str(error)
            else:
                return process
        raise RuntimeError(f"worker processes do not start: {reason}")

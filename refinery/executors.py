"""Runs a pipeline on this machine, on a cluster of Ray, or by Slurm: datatrove's executors.

They differ from datatrove's own in how they end: a task that fails does not stop the others, and
says why in ``failures/`` of the folder for logs.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import multiprocess
import multiprocess.process
from datatrove.executor import LocalPipelineExecutor, RayPipelineExecutor, SlurmPipelineExecutor
from datatrove.pipeline.base import PipelineStep
from datatrove.utils.stats import PipelineStats
from loguru import logger

from corpus_commons.cores import usable_cores
from corpus_commons.processes import environment
from corpus_commons.terminal.progress import watched
from pipelines.reading.worker_process import ENVIRONMENT
from refinery.completions import Completions

_NO_SPACE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_SECONDS_BETWEEN_LOOKS: Final = 0.5
_MEMORY_GB: Final = 2
_FAILURES: Final = "failures"
# What a server imports once, of which the processes for tasks are forks.
_PRELOADED: Final = ["refinery.blocks", "refinery.steps", "refinery.dataset.arrangement"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where tasks run.

    processes: how many run at a time; None for the cores of this machine, or of the cluster.
    ray: the address of a cluster, such as ``auto``. slurm: a partition; slurm_time: the time limit
        of a task, as ``sbatch`` has it.
    """

    processes: int | None = None
    ray: str | None = None
    slurm: str | None = None
    slurm_time: str = "24:00:00"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended. done, tasks: numbers of tasks. failures: why others failed.

    is_submitted: whether Slurm has the tasks, and will run them later.
    """

    done: int
    tasks: int
    failures: Sequence[str] = ()
    is_submitted: bool = False


def run(
    steps: Sequence[PipelineStep],
    tasks: int,
    logs: Path,
    place: Place,
    *,
    what: str = "tasks",
    resume: bool = True,
) -> Outcome:
    """Run the pipeline in each of the tasks, and wait for them (but not for Slurm).

    logs: a folder; where its tasks are complete, and ``resume`` is set, they are not run again.
    what: the name of the tasks, in the plural, for progress.
    Raises OSError, with a path, if ``logs`` cannot be written.
    """
    logger.disable("datatrove")
    failures = logs / _FAILURES
    failures.mkdir(parents=True, exist_ok=True)
    _empty(failures)
    completions = Completions(logs)
    if not resume:
        _empty(completions.folder)
    with (
        environment(ENVIRONMENT),
        _progress(completions, tasks, what),
        _forks_end_with_this_process(),
    ):
        executor = _executor(list(steps), tasks, logs, place)
        try:
            executor.run()
        except OSError as error:
            if error.errno in _NO_SPACE:  # the system names no file
                error.filename = error.filename or str(logs)
            raise
    why = [path.read_text().partition("\n")[0] for path in sorted(failures.iterdir())]
    return Outcome(completions.count(), tasks, why, is_submitted=place.slurm is not None)


def _executor(steps: list[PipelineStep], tasks: int, logs: Path, place: Place) -> Any:
    common = {"pipeline": steps, "tasks": tasks, "logging_dir": str(logs)}
    if place.slurm:
        return _Slurm(
            **common,
            time=place.slurm_time,
            partition=place.slurm,
            workers=place.processes or -1,
            mem_per_cpu_gb=_MEMORY_GB,
            job_name="refinery",
            qos="",
            env_command=f'export PATH="{Path(sys.executable).parent}:$PATH"',
        )
    if place.ray:
        import ray  # noqa: PLC0415 - of an extra of its own

        ray.init(address=place.ray, ignore_reinit_error=True, log_to_driver=False)
        return _Ray(**common, workers=place.processes or -1, mem_per_cpu_gb=0)
    workers = min(place.processes or usable_cores(), tasks)
    multiprocess.set_forkserver_preload(_PRELOADED)
    return _Local(**common, workers=workers, start_method="forkserver")


class _Forgiving:
    """Mixed into executors: a failed task leaves its reason, and the others go on."""

    logging_dir: Any

    def _run_for_rank(self, rank: int, local_rank: int = 0, node_rank: int = -1) -> PipelineStats:
        logger.disable("datatrove")
        try:
            return super()._run_for_rank(rank, local_rank, node_rank)  # type: ignore[misc]
        except Exception as error:
            with self.logging_dir.open(f"{_FAILURES}/{rank:05d}", "w") as file:
                file.write(f"{error or type(error).__name__}\n{traceback.format_exc()}")
            return PipelineStats()


class _Local(_Forgiving, LocalPipelineExecutor):
    def _launch_run_for_rank(self, *arguments: Any, **named: Any) -> PipelineStats:
        _end_with_parent()
        return super()._launch_run_for_rank(*arguments, **named)


class _Ray(_Forgiving, RayPipelineExecutor):
    """Ray itself gives the tasks of a lost node to others."""


class _Slurm(_Forgiving, SlurmPipelineExecutor):
    """Run from a node that may submit."""


@cache
def _end_with_parent() -> None:
    """Let this process, if it is for tasks, end with the one that started it, also by Ctrl-C."""
    parent = multiprocess.process.parent_process()

    def wait() -> None:
        parent.join()
        os._exit(1)

    if parent is not None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        threading.Thread(target=wait, name="end with parent", daemon=True).start()


@contextmanager
def _forks_end_with_this_process() -> Iterator[None]:
    """Within the block, forks end if this process is killed, as datatrove's manager would not."""
    _watch_forks()
    _watched.add(os.getpid())
    try:
        yield
    finally:
        _watched.discard(os.getpid())


# Processes in such a block.
_watched: set[int] = set()


@cache
def _watch_forks() -> None:
    os.register_at_fork(after_in_child=_end_if_orphaned)


def _end_if_orphaned() -> None:
    parent = os.getppid()
    if parent not in _watched:
        return

    def wait() -> None:
        while os.getppid() == parent:
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        os._exit(1)

    threading.Thread(target=wait, name="end with parent", daemon=True).start()


@contextmanager
def _progress(completions: Completions, tasks: int, what: str) -> Iterator[None]:
    """Show how many tasks are complete, from another thread."""
    ended = threading.Event()

    def completed() -> Iterator[int]:
        while completions.told < tasks and not ended.wait(_SECONDS_BETWEEN_LOOKS):
            yield from completions.new()

    watching = threading.Thread(target=lambda: deque(watched(completed(), tasks, what), maxlen=0))
    watching.start()
    try:
        yield
    finally:
        ended.set()
        watching.join()


def _empty(folder: Path) -> None:
    for path in folder.glob("*"):
        path.unlink()

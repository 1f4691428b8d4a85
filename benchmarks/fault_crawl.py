"""Runs the real program on a job, to be disturbed and restarted."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from corpus_commons.process_tree import command, descendants, is_running, peak
from settings.frontier_address import EMBEDDED

ROOT: Final = Path(__file__).resolve().parents[1]
# How long child processes may take to notice that they are orphans.
_ORPHAN_SECONDS: Final = 15.0
_GLANCE: Final = 0.02
_DEADLINE: Final = 240.0
_DRIVER: Final = "playwright/driver"


def begin(
    arguments: Sequence[str], errors: IO[str], variables: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    """``python -m crawler`` in a process group of its own."""
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "crawler", *arguments],
        cwd=ROOT,
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        start_new_session=True,
    )


class Run:
    """One run of ``python -m crawler run``, in a process group of its own.

    errors: the file that its standard error is appended to. options: of the command. variables: of
    its environment, on top of this process's.
    """

    def __init__(
        self, job: Path, errors: Path, *options: str, variables: Mapping[str, str] | None = None
    ) -> None:
        self._errors = errors
        with errors.open("a") as file:
            self.process = begin(["run", str(job), *options], file, variables or {})

    @property
    def is_over(self) -> bool:
        return self.process.poll() is not None

    @property
    def errors(self) -> str:
        """Its output to standard error so far."""
        return self._errors.read_text(errors="replace")

    def family(self) -> list[int]:
        """Its process and all descendants."""
        return descendants(self.process.pid)

    def browsers(self) -> list[int]:
        """The main processes of the browsers."""
        return [
            process
            for process in self.family()
            if "--remote-debugging-pipe" in (line := command(process))
            # Neither their children nor the shell script that started them.
            and "--type=" not in line
            and not line.startswith("/bin/sh")
        ]

    def renderers(self) -> list[int]:
        """The browsers' processes that render pages."""
        return [one for one in self.family() if "--type=renderer" in command(one)]

    def drivers(self) -> list[int]:
        """Playwright's drivers, which start the browsers."""
        return [one for one in self.family() if _DRIVER in command(one)]

    def page_workers(self) -> list[int]:
        """The page workers' processes."""
        return self._forked()[1:]

    def worker_server(self) -> list[int]:
        """The process of which page workers are forks; none before the first of them."""
        return self._forked()[:1]

    def _forked(self) -> list[int]:
        """The worker server and its forks: parents come first in a family."""
        return [one for one in self.family() if "multiprocessing.forkserver" in command(one)]

    def memory(self) -> int:
        """The peak memory of its own process in bytes; 0 once it has ended."""
        return peak(self.process.pid)

    def sleep(self, seconds: float) -> bool:
        """Wait for so long; returns whether it is still running."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
            return False
        return True

    def wait(self, seconds: float = _DEADLINE) -> int:
        """Its exit code. Raises TimeoutError, with its errors, if it takes longer."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.end()
            raise TimeoutError(f"no end after {seconds:g} s: {self.errors[-2000:]}") from None

    def limit_files(self, size: int) -> None:
        """Limit the size of files that its own process can write, in bytes."""
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (size, size))

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def kill(self, *, group: bool = False) -> list[int]:
        """SIGKILL it, or its whole process group; returns what is still running after a while."""
        family = self.family()
        self.strike(group=group)
        return self.outlived(family)

    def strike(self, *, group: bool) -> None:
        """SIGKILL it, or its whole process group, at once."""
        if group:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        else:
            self.process.kill()
        self.process.wait()

    @staticmethod
    def outlived(family: Collection[int]) -> list[int]:
        """Those of the program's processes that are still running after a while."""
        end = time.monotonic() + _ORPHAN_SECONDS
        while left := list(filter(is_running, family)):
            if time.monotonic() > end:
                return left
            time.sleep(_GLANCE)
        return []

    def end(self) -> None:
        """Kill all its processes."""
        family = self.family()
        for process in family:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.process.wait()


@dataclass(frozen=True, slots=True)
class FaultCrawl:
    """A job in a folder of its own, with its output in ``output``.

    base: the base URL of the site; its home page is the seed.
    output: the job's folder, by default ``folder/out``.
    frontier: its URL, by default embedded.
    processes: page workers, by default as many as there are cores.
    """

    folder: Path
    base: str
    rendering: str = "never"
    tries: int = 2
    page_time: str = "20s"
    place: Path | None = None
    raw: bool = True
    visits_per_host: int = 8
    frontier: str = EMBEDDED
    processes: int | None = None

    @property
    def store(self) -> str:
        """What keeps the frontier."""
        return "SQLite" if self.frontier == EMBEDDED else "Redis"

    @property
    def output(self) -> Path:
        return self.place or self.folder / "out"

    @property
    def corpus(self) -> Path:
        return self.output / "corpus"

    def start(self, *, errors: str = "errors.txt") -> Run:
        """Start it; standard error goes to the file ``errors``."""
        job = self.written()
        (self.folder / errors).unlink(missing_ok=True)
        return Run(job, self.folder / errors)

    def written(self) -> Path:
        """The job's file."""
        self.folder.mkdir(parents=True, exist_ok=True)
        job = self.folder / "job.toml"
        job.write_text(self._job())
        return job

    def finish(self) -> Run:
        """Run it to the end. Raises TimeoutError if it does not end."""
        run = self.start()
        run.wait()
        return run

    @property
    def _processes(self) -> str:
        return "" if self.processes is None else f"processes = {self.processes}"

    def _job(self) -> str:
        keep = "true" if self.raw else "false"
        return f"""
name = "fault"
[seeds]
urls = ["{self.base}/"]
[extraction]
site_memory = false
[limits]
page_time = "{self.page_time}"
{self._processes}
[politeness]
delay = 0
concurrency_per_host = {self.visits_per_host}
[rendering]
mode = "{self.rendering}"
[filters]
min_words = 50
[frontier]
url = "{self.frontier}"
lease = "10s"
tries = {self.tries}
[outputs]
folder = "{self.output}"
shard_size = "20 kB"
warc = {keep}
screenshots = {keep}
"""


def ended_cpu_seconds() -> float:
    """The CPU time of all processes that this one has started, and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def end_children() -> None:
    """SIGKILL all that this process has started, when a trial is broken off."""
    for process in descendants(os.getpid())[1:]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def kill_one_of(processes: Collection[int], choice: float) -> bool:
    """SIGKILL one of them, chosen by a number from 0 to 1; returns whether there was one."""
    if not processes:
        return False
    chosen = sorted(processes)[int(choice * len(processes))]
    with contextlib.suppress(ProcessLookupError):
        os.kill(chosen, signal.SIGKILL)
        return True
    return False

"""Crawls that are disturbed at random times, and then run to their end.

The times come from a seed, and are reported, so that a trial can be repeated.
"""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from benchmarks.fault_crawl import FaultCrawl, Run, kill_one_of
from benchmarks.fault_site import FaultSite
from benchmarks.faults.audit import Left, complaints, left_of, losses
from crawler.exit_codes import ExitCode

# The longest time between two kills in a crawl that survives them, in seconds.
_PAUSE: Final = 6.0
_BALLAST: Final = 65_536
# How the program says that a part of it was killed again and again while it started; then it ends,
# as documented, and must lose nothing when it is started again.
_NO_STARTS: Final = ("no browser can be started", "could not start a worker process")


class Part(StrEnum):
    """Processes whose death the program must survive."""

    PAGE_WORKER = "a page worker"
    WORKER_SERVER = "the process that page workers are forks of"
    BROWSER = "the browser"
    RENDERER = "a process of the browser that renders"
    DRIVER = "Playwright's driver"

    def processes(self, run: Run) -> list[int]:
        find = {
            Part.PAGE_WORKER: run.page_workers,
            Part.WORKER_SERVER: run.worker_server,
            Part.BROWSER: run.browsers,
            Part.RENDERER: run.renderers,
            Part.DRIVER: run.drivers,
        }
        return find[self]()


@dataclass(slots=True)
class Trial:
    """A crawl of a site that was disturbed, completed and audited.

    moments: the times of the faults, in seconds after a start of the program.
    problems: broken guarantees; empty if there are none.
    repeats: the number of duplicate lines, which merging removed.
    """

    fault: str
    moments: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    repeats: int = 0
    documents: int = 0

    def conclude(
        self, crawl: FaultCrawl, site: FaultSite, whole: Left | None, last: Run | None = None
    ) -> Left:
        """Audit the crawl after its ``last`` run, or after one more run that completes it."""
        self.expect(last or crawl.finish(), ExitCode.FINISHED)
        left = left_of(crawl, site.urls())
        self.problems += complaints(left)
        if whole is not None:
            self.problems += losses(left, whole)
        self.repeats = left.repeats
        self.documents = len(left.documents)
        return left

    def expect(self, run: Run, *codes: ExitCode) -> None:
        """Record a problem if the run ended with another exit code, or with a traceback."""
        if run.process.returncode not in codes:
            end = run.errors[-1500:]
            self.problems.append(f"exit code {run.process.returncode}, not {codes}: {end}")
        if "Traceback" in run.errors:
            self.problems.append(f"a traceback: {run.errors[-3000:]}")

    def struck(self, moment: float) -> None:
        self.moments.append(round(moment, 2))


def undisturbed(crawl: FaultCrawl, site: FaultSite) -> tuple[Left, float]:
    """The output of an undisturbed crawl, and its duration in seconds."""
    site.forget()
    trial = Trial("none")
    left = trial.conclude(crawl, site, None)
    if trial.problems:
        raise AssertionError("; ".join(trial.problems))
    return left, site.asked[-1].time - site.asked[0].time


def killed_crawler(
    crawl: FaultCrawl,
    site: FaultSite,
    whole: Left,
    chance: random.Random,
    *,
    kills: int,
    seconds: float,
    group: bool = False,
) -> Trial:
    """SIGKILL the program, or its whole process group, and restart it, up to ``kills`` times.

    seconds: it is killed within this time after its first request, or after its start.
    """
    site.forget()
    trial = Trial("kill -9 of the process group" if group else "kill -9 of the crawler")
    while len(trial.moments) < kills:
        run = crawl.start()
        moment = chance.uniform(0, seconds)
        # One in five is killed during startup; the others once there is something to lose.
        if chance.random() > 0.2:
            wait_for_requests(run, site)
        if not run.sleep(moment):
            trial.expect(run, ExitCode.FINISHED)
            break
        left = run.kill(group=group)
        trial.struck(moment)
        if left:
            trial.problems.append(f"{len(left)} processes outlived the crawler")
    trial.conclude(crawl, site, whole)
    return trial


def killed_parts(
    crawl: FaultCrawl,
    site: FaultSite,
    whole: Left,
    chance: random.Random,
    part: Part,
    *,
    kills: int,
    pause: float = _PAUSE,
) -> Trial:
    """SIGKILL processes of the program now and then, while the crawl continues.

    Where that ends it, because the part cannot be started any more, it is started again.
    pause: the longest time between two kills, in seconds.
    """
    site.forget()
    trial = Trial(f"kill -9 of {part}")
    run = crawl.start()
    # robots.txt, the seed, and a page that it links to: were only the seed there, and struck again
    # and again, all would wait for its backoff.
    wait_for_requests(run, site, 3)
    passed = 0.0
    while len(trial.moments) < kills:
        seconds = chance.uniform(0.2, pause)
        passed += seconds
        if not run.sleep(seconds):
            break
        # A killed process may not have been replaced yet.
        while not (there := part.processes(run)) and run.sleep(0.02):
            pass
        if kill_one_of(there, chance.random()):
            trial.struck(passed)
    run.wait()
    if _gave_up(run):
        trial.conclude(crawl, site, whole)
    else:
        trial.conclude(crawl, site, whole, run)
    return trial


def filled_disk(
    crawl: FaultCrawl,
    site: FaultSite,
    whole: Left,
    chance: random.Random,
    *,
    seconds: float,
) -> Trial:
    """Fill the disk of ``crawl.output`` at a random time; restart, free space, restart again."""
    site.forget()
    trial = Trial("a full disk")
    run = crawl.start()
    moment = chance.uniform(0, seconds)
    wait_for_requests(run, site)
    ballast = crawl.output.parent / "ballast"
    if run.sleep(moment):
        trial.struck(moment)
        _fill(ballast)
        run.wait()
        # If it was almost finished, only the report is missing.
        trial.expect(run, ExitCode.STORAGE, ExitCode.FINISHED)
        if run.process.returncode == ExitCode.STORAGE:
            again = crawl.finish()
            trial.expect(again, ExitCode.STORAGE, ExitCode.FINISHED)
    ballast.unlink(missing_ok=True)
    trial.conclude(crawl, site, whole)
    return trial


@contextlib.contextmanager
def small_disk(size: str) -> Iterator[Path]:
    """A tmpfs of this size ("8m"). Raises PermissionError if it cannot be mounted."""
    with tempfile.TemporaryDirectory(prefix="disk-") as folder:
        mounted = subprocess.run(  # noqa: S603
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder],  # noqa: S607
            capture_output=True,
            text=True,
            check=False,
        )
        if mounted.returncode:
            raise PermissionError(f"a tmpfs cannot be mounted: {mounted.stderr.strip()}")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)  # noqa: S603, S607


def wait_for_requests(run: Run, site: FaultSite, count: int = 1) -> None:
    """Wait until the run has sent so many requests, or has ended."""
    before = len(site.asked)
    while len(site.asked) < before + count and run.sleep(0.02):
        pass


def _gave_up(run: Run) -> bool:
    """Whether the run ended because a part that was killed did not start any more."""
    is_failed = run.process.returncode == ExitCode.FAILED
    return is_failed and any(reason in run.errors for reason in _NO_STARTS)


def _fill(ballast: Path) -> None:
    """Write until the disk is full."""
    with ballast.open("ab", buffering=0) as file, contextlib.suppress(OSError):
        for size in (_BALLAST, 4096, 1):
            with contextlib.suppress(OSError):
                while file.write(os.urandom(size)):
                    pass

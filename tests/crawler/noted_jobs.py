"""Jobs whose crawls are noted, and schedulers of them as processes."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from crawler.schedule.opening import runs_of
from crawler.schedule.run_now import run_now
from crawler.schedule.runs import Pace, Runs, State
from crawler.schedule.scheduler import Scheduler
from settings import load_job

TESTS = Path(__file__).parent
ROOT = TESTS.parents[1]
# The lease is short for a test, and long for a process that renews it.
PACE = Pace(look=0.02, lease=1.5)


class NotedJob:
    """A job file in ``folder``. frontier: a Redis URL; by default the job is in the folder."""

    def __init__(self, folder: Path, schedule: str, *, frontier: str = "embedded") -> None:
        self.path = folder / "job.toml"
        self.folder = folder
        self.frontier = frontier
        self.write(schedule)

    def write(self, schedule: str) -> None:
        new = self.path.with_suffix(".new")
        new.write_text(
            f'name = "noted"\nseeds.urls = ["http://localhost/"]\n'
            f'frontier.url = "{self.frontier}"\noutputs.folder = "{self.folder}/o"\n'
            f"[schedule]\n{schedule}\n"
        )
        new.replace(self.path)

    def takes(self, seconds: float) -> None:
        Path(f"{self.path}.seconds").write_text(str(seconds))

    def ends_with(self, code: int) -> None:
        Path(f"{self.path}.code").write_text(str(code))

    def notes(self) -> list[str]:
        """What its crawls noted, in order."""
        notes = Path(f"{self.path}.notes")
        lines = notes.read_text().splitlines() if notes.exists() else []
        return [line.partition(" ")[0] for line in lines]

    def crawl_id(self) -> int:
        """The process of its latest crawl."""
        return int(Path(f"{self.path}.notes").read_text().split()[-1])

    def runs(self) -> Runs:
        return runs_of(load_job(self.path), patience=5)

    def run_now(self, pace: Pace = PACE) -> int | None:
        return asyncio.run(run_now(self.path, load_job(self.path), command, pace=pace))

    def state(self) -> State:
        async def look() -> State:
            async with self.runs() as runs:
                return await runs.look()

        return asyncio.run(look())


def command(file: Path) -> list[str]:
    return [sys.executable, "-I", "-S", str(TESTS / "noted_crawl.py"), str(file)]


def scheduler(*paths: Path) -> subprocess.Popen[str]:
    """A process that looks every 20 ms; what it logs is in its ``stderr``."""
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, __file__, *map(str, paths)],
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{TESTS}"},
        stderr=subprocess.PIPE,
        text=True,
    )


def stopped(process: subprocess.Popen[str], by: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
    """Its exit code after that signal, and its log."""
    process.send_signal(by)
    _, log = process.communicate(timeout=20)
    return process.returncode, log


def log_until(process: subprocess.Popen[str], words: str) -> str:
    """Its log, up to the line with these words."""
    assert process.stderr is not None
    lines = []
    for line in process.stderr:
        lines.append(line)
        if words in line:
            break
    return "".join(lines)


def wait_until(is_so: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.01)


def _main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    paths = [Path(path) for path in sys.argv[1:]]
    asyncio.run(Scheduler(paths, command, pace=PACE).run())


if __name__ == "__main__":
    _main()

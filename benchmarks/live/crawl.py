"""A crawl that is measured from its first answer on, without its start, and that of the page.

The site is frozen while the crawl starts, loads its models, and waits for the first answer; so do
the viewers for their first event. What the crawl does after that is the same in every run.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from benchmarks.crawl.benchmark import JOB
from benchmarks.crawl.site import PAGES, Site
from benchmarks.free_port import free_port
from benchmarks.live.viewers import Viewers
from corpus_commons.process_tree import cpu_seconds, descendants

_CONCURRENCY: Final = 16
_LOADED: Final = b"models loaded"
# A crawl that waits uses less of a core than this.
_IDLE: Final = 0.15
_LOOKS: Final = 2
_START_SECONDS: Final = 300.0


@dataclass(frozen=True, slots=True)
class Run:
    """pages: that were crawled. took, processor: seconds from the first answer to the end, on the
    clock and of CPU, of the crawl's processes. started: CPU seconds before. received: by viewers,
    in bytes.
    """

    pages: int
    took: float
    processor: float
    started: float
    received: int

    @property
    def rate(self) -> float:
        return self.pages / self.took

    @property
    def cpu(self) -> float:
        """Milliseconds per page."""
        return self.processor / self.pages * 1000


def job_file(folder: Path, site: Site, live: str) -> Path:
    """A job for the site. live: lines of its table."""
    job = folder / "job.toml"
    text = JOB.format(
        base=site.base, concurrency=_CONCURRENCY, duplicates="keep", folder=folder / "out"
    )
    job.write_text(f"{text}[live]\n{live}\n", encoding="utf-8")
    return job


def crawl(folder: Path, site: Site, viewers: int | None) -> Run:
    """viewers: of its live page; None for no page. Raises SystemExit if the crawl fails."""
    port = free_port()
    job = job_file(folder, site, "enabled = false" if viewers is None else f"port = {port}")
    watching = Viewers(port, viewers or 0)
    watching.start()
    site.forget()
    try:
        with _frozen(site):
            process = _Process([sys.executable, "-m", "crawler", "run", str(job)])
            process.wait_until_idle(watching)
            started, began, had = process.cpu_seconds(), time.monotonic(), watching.received
        used = process.end()
        took = time.monotonic() - began
    finally:
        watching.end()
    seen = {path for _, path in site.visits() if path.startswith(f"/{PAGES}/")}
    if len(seen) < len(site.urls):
        raise SystemExit(f"{len(seen):,} of {len(site.urls):,} pages were requested")
    return Run(len(seen), took, used - started, started, watching.received - had)


@contextmanager
def _frozen(site: Site) -> Iterator[None]:
    """The site takes connections, and answers when this is over."""
    processes = descendants(site.process)
    try:
        for one in processes:
            os.kill(one, signal.SIGSTOP)
        yield
    finally:
        for one in processes:
            os.kill(one, signal.SIGCONT)


class _Process:
    """A crawl, whose log is read while it runs."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        self._said: list[bytes] = []
        self._is_loaded = threading.Event()
        self._reader = threading.Thread(target=self._read, args=(self._process.stderr,))
        self._reader.start()

    def cpu_seconds(self) -> float:
        """Of all its processes so far."""
        return cpu_seconds(descendants(self._process.pid))

    def wait_until_idle(self, watching: Viewers) -> None:
        """Until the models are loaded and all viewers have been told something."""
        if not self._is_loaded.wait(_START_SECONDS):
            self._fail()
        end, idle, before = time.monotonic() + _START_SECONDS, 0, self.cpu_seconds()
        while idle < _LOOKS or watching.waiting:
            time.sleep(1)
            now = self.cpu_seconds()
            idle, before = (idle + 1 if now - before < _IDLE else 0), now
            if time.monotonic() > end or self._process.poll() is not None:
                self._fail()

    def end(self) -> float:
        """Wait for the end; returns the CPU seconds of all its processes."""
        _, status, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self._reader.join()
        if self._process.returncode:
            self._fail()
        return usage.ru_utime + usage.ru_stime

    def _read(self, log: IO[bytes]) -> None:
        for line in log:
            self._said.append(line)
            if _LOADED in line:
                self._is_loaded.set()
        self._is_loaded.set()

    def _fail(self) -> None:
        self._process.kill()
        sys.stderr.write(b"".join(self._said[-30:]).decode(errors="replace"))
        raise SystemExit("the crawl failed, or did not start")

"""Which job files a scheduler looks after, and a job file that may change on disk."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from settings import Job, load_job
from settings.given_job import with_frontier

_SUFFIX: Final = ".toml"
# After so long a broken file is read again even if it did not change: what it names may have.
_RETRY_SECONDS: Final = 60.0


def job_files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files, and the job files in the folders that are not hidden, in order of their names."""
    for path in paths:
        yield from sorted(path.glob(f"[!.]*{_SUFFIX}")) if path.is_dir() else [path]


class JobFile:
    """A job file, read again whenever it has changed.

    frontier: the URL of a Redis, instead of what the file says.
    """

    def __init__(self, path: Path, frontier: str | None = None) -> None:
        self.path = path
        self._frontier = frontier
        self._job: Job | None = None
        self._seen: tuple[int, int, int] | None = None
        self._retry = 0.0

    def job(self) -> Job | None:
        """The job; None if the file is as broken as when that was last told.

        Raises ValueError (settings.JobError) if it is broken.
        """
        seen = _version(self.path)
        now = time.monotonic()
        if seen != self._seen or (self._job is None and now >= self._retry):
            self._seen, self._retry, self._job = seen, now + _RETRY_SECONDS, None
            self._job = with_frontier(load_job(self.path), self._frontier)
        return self._job


def _version(path: Path) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - as cheap as can be, every second
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size

"""Starts jobs when they are due, each in a process of its own, until it is told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import Sequence
from pathlib import Path

from corpus_commons.hangup import stop_at_hangup
from crawler.schedule.job_files import JobFile, job_files
from crawler.schedule.runs import PACE, Pace
from crawler.schedule.watch import Command, Watch

_log = logging.getLogger(__name__)


class Scheduler:
    """Looks after job files, and after folders, whose job files may come and go.

    frontier: the URL of the Redis of all jobs, instead of what the files say.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        command: Command,
        *,
        frontier: str | None = None,
        pace: Pace = PACE,
    ) -> None:
        self._paths = paths
        self._command = command
        self._frontier = frontier
        self._pace = pace
        self._watches: dict[Path, tuple[Watch, asyncio.Task[None]]] = {}
        self._stopped = asyncio.Event()
        self._told: set[tuple[Path, Path]] = set()

    async def run(self) -> None:
        """Until Ctrl-C, SIGTERM or SIGHUP, and until the crawls that are told so have ended."""
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, self.stop)
        stop_at_hangup()
        if not any(job_files(self._paths)):
            _log.warning("no job files yet (*.toml): %s", ", ".join(map(str, self._paths)))
        while not self._stopped.is_set():
            self._watch()
            self._tell_of_twins()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopped.wait(), self._pace.look)
        await asyncio.gather(*(task for _, task in self._watches.values()))

    def stop(self) -> None:
        """Start nothing more, and have all crawls shut down; again, and they end at once."""
        _log.info("stopping; waiting for the crawls that run")
        self._stopped.set()
        for watch, _ in self._watches.values():
            watch.stop()

    def _watch(self) -> None:
        """Begin to look after files that are new, forget those that are gone."""
        for path in filter(Path.exists, job_files(self._paths)):
            if path not in self._watches:
                file = JobFile(path, self._frontier)
                watch = Watch(file, self._command, pace=self._pace)
                self._watches[path] = watch, asyncio.create_task(watch.follow())
        for path in [path for path, (_, task) in self._watches.items() if task.done()]:
            del self._watches[path]

    def _tell_of_twins(self) -> None:
        """Log, once, which files are one job, such as a file and its copy."""
        first: dict[tuple[str, str], Path] = {}
        for path, (watch, _) in self._watches.items():
            if watch.place is None:
                continue
            both = first.setdefault(watch.place, path), path
            if both[0] != path and both not in self._told:
                self._told.add(both)
                _log.error("%s and %s are one job; give one of them another name", *both)

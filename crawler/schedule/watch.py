"""Looks after one job file: starts the job whenever it is due or asked for."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from crawler.exit_codes import CrawlError
from crawler.schedule.crawl_run import CrawlRun
from crawler.schedule.job_files import JobFile
from crawler.schedule.opening import place_of, runs_of
from crawler.schedule.runs import PACE, Pace, Runs, State
from crawler.schedule.times import next_start, time_text, up_to_date
from settings import Job, JobError

_log = logging.getLogger(__name__)

# Before another attempt after an error.
_RETRY_SECONDS: Final = 60.0

Command = Callable[[Path], Sequence[str]]
"""The command that crawls a job file."""


class Watch:
    """Looks after a job file until it is stopped, or the file is gone."""

    def __init__(self, file: JobFile, command: Command, *, pace: Pace = PACE) -> None:
        self._file = file
        self._command = command
        self._pace = pace
        self._job: Job | None = None
        self._runs: Runs | None = None
        self._run: CrawlRun | None = None
        # Starts up to this moment were left out, because the job ran elsewhere.
        self._passed = -math.inf
        self._plan = ""
        self._stopped = asyncio.Event()

    @property
    def place(self) -> tuple[str, str] | None:
        """That of the record of its runs; None as long as the file is not read, or wrong."""
        return place_of(self._job) if self._job else None

    async def follow(self) -> None:
        """Look again and again. What goes wrong is logged, and tried again."""
        while not self._stopped.is_set() and self._file.path.exists():
            seconds = self._pace.look
            try:
                await self._read()
                if self._job and self._runs:
                    await self._look(self._job, self._runs)
            except JobError as error:
                _log.error("%s", error)
            except (CrawlError, OSError) as error:
                _log.error("%s: %s", self._file.path, error)
                seconds = _RETRY_SECONDS
            except Exception:
                _log.exception("%s", self._file.path)
                seconds = _RETRY_SECONDS
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopped.wait(), seconds)
        await self._close()

    def stop(self) -> None:
        """Start nothing more; shut a run that goes on down. The second time, it ends at once."""
        self._stopped.set()
        if self._runs:
            self._runs.hurry()
        if self._run:
            self._run.stop()

    async def _read(self) -> None:
        """Take the job file as it is now. Raises JobError."""
        job = None
        try:
            job = self._file.job()
        finally:
            if job is not self._job:
                await self._close()
                self._job, self._plan = job, ""
        if job and not self._runs:
            # Redis may be away for as long as it likes.
            self._runs = runs_of(job, patience=math.inf, lease=self._pace.lease)

    async def _close(self) -> None:
        runs, self._runs = self._runs, None
        if runs:
            try:
                await runs.close()
            except CrawlError as error:
                _log.error("%s: %s", self._file.path, error)

    async def _look(self, job: Job, runs: Runs) -> None:
        state = await runs.look()
        fresh = up_to_date(job, state.record, state.now)
        if fresh == state.record and not self._is_due(job, state):
            return
        if not await runs.claim():
            self._tell(job, "is due, but runs already")
            if job.schedule.on_overlap == "skip":
                self._passed = state.now
            return
        try:
            # Another scheduler may have been here meanwhile.
            state = await runs.look()
            fresh = up_to_date(job, state.record, state.now)
            if fresh != state.record:
                await runs.write(fresh)
            elif self._is_due(job, state) and not self._stopped.is_set():
                self._run = CrawlRun(
                    runs, job.name, self._command(self._file.path), pace=self._pace
                )
                await runs.take_request()
                await self._run.to_its_end()
        finally:
            self._run = None
            await runs.release()

    def _is_due(self, job: Job, state: State) -> bool:
        if state.is_asked or (state.record.is_open and not state.is_paused):
            return True
        start = next_start(job, state.record, state.now, passed=self._passed)
        if state.is_paused:
            self._tell(job, "is paused")
        elif not job.schedule.is_set:
            self._tell(job, "has no [schedule], and runs only if it is asked for")
        elif start is None:
            self._tell(job, "has no further start")
        elif start <= state.now:
            return True
        else:
            self._tell(job, f"starts at {time_text(start, job.schedule.timezone)}")
        return False

    def _tell(self, job: Job, plan: str) -> None:
        """Log what comes next, once."""
        if plan != self._plan:
            self._plan = plan
            _log.info("%s: %s", job.name, plan)

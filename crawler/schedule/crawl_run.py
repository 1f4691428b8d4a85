"""One run of a job: its crawl in a process of its own, from the record's first word to the last."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from crawler.exit_codes import ExitCode
from crawler.frontier.errors import FrontierError
from crawler.schedule.runs import PACE, Pace, Record, Runs

_log = logging.getLogger(__name__)

# Shells add the number of the signal that ended a process to this.
_BY_SIGNAL: Final = 128


class CrawlRun:
    """A run. The right to run the job must be held; it is renewed as long as the run takes.

    name: of the job, for the log. command: that crawls it.
    """

    def __init__(
        self,
        runs: Runs,
        name: str,
        command: Sequence[str],
        *,
        pace: Pace = PACE,
    ) -> None:
        self._runs = runs
        self._name = name
        self._command = command
        self._pace = pace
        self._process: Process | None = None
        self._is_stopped = False

    async def to_its_end(self) -> int:
        """Run it; returns the exit code. If it was stopped, the record leaves the run open."""
        state = await self._runs.look()
        number = state.record.number + (0 if state.record.is_open else 1)
        record = replace(state.record, number=number, started=state.now, ended=None, code=None)
        await self._runs.write(record)
        _log.info("%s: run %d starts", self._name, number)
        # In a session of its own, so that Ctrl-C reaches it once, by way of the scheduler.
        process = self._process = await asyncio.create_subprocess_exec(
            *self._command, stdin=DEVNULL, start_new_session=True
        )
        if self._is_stopped:
            self.stop()
        renewing = asyncio.create_task(self._renew(process))
        try:
            code = await process.wait()
        finally:
            renewing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await renewing
        code = code if code >= 0 else _BY_SIGNAL - code
        if self._is_stopped and code not in (ExitCode.FINISHED, ExitCode.NOTHING):
            _log.info("%s: run %d was stopped, and is taken up again", self._name, number)
        else:
            await self._end(record, code)
            _log.info("%s: run %d ended: %s", self._name, number, meaning_of(code))
        return code

    def stop(self) -> None:
        """Ask the crawl to shut down; asked again, it ends at once."""
        self._is_stopped = True
        self._terminate()

    def _terminate(self) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGTERM)

    async def _end(self, record: Record, code: int) -> None:
        """Remember the end, unless another scheduler has gone on with the run."""
        if await self._runs.claim():  # a lease may have ended unnoticed
            state = await self._runs.look()
            if state.record == record:
                await self._runs.write(replace(record, ended=state.now, code=code))

    async def _renew(self, process: Process) -> None:
        while True:
            await asyncio.sleep(self._pace.renewal)
            try:
                if await self._runs.claim():
                    continue
            except FrontierError as error:
                _log.error("%s: %s", self._name, error)
                continue
            _log.error("%s: another scheduler has taken the job over; stopping", self._name)
            self._terminate()
            return


def meaning_of(code: int) -> str:
    """What an exit code of a crawl means.

    >>> meaning_of(0), meaning_of(137)
    ('exit code 0, finished, or reached a limit of the job', 'exit code 137, killed by signal 9')
    """
    known = {int(one): one.meaning for one in ExitCode}
    if code > _BY_SIGNAL and code not in known:
        return f"exit code {code}, killed by signal {code - _BY_SIGNAL}"
    return f"exit code {code}, {known.get(code, 'unknown')}"

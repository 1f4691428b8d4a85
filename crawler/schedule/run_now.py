"""A run at once: by the scheduler that looks after the job, or else by this process."""

from __future__ import annotations

import asyncio
import math
import signal
from pathlib import Path
from typing import Final

from corpus_commons.hangup import stop_at_hangup
from crawler.exit_codes import InUseError
from crawler.schedule.crawl_run import CrawlRun
from crawler.schedule.opening import runs_of
from crawler.schedule.runs import PACE, Pace, Runs
from crawler.schedule.watch import Command
from settings import Job

# Within so many of its looks a scheduler that runs has noticed.
_LOOKS: Final = 4
_POLL_SECONDS: Final = 0.1


async def run_now(file: Path, job: Job, command: Command, *, pace: Pace = PACE) -> int | None:
    """Run the job; returns its exit code, or None if a scheduler runs it.

    Raises InUseError if it runs already, FrontierError if its record cannot be used.
    """
    async with runs_of(job) as runs:
        if await runs.is_claimed():
            raise _running(job)
        if await _scheduler_takes(runs, _LOOKS * pace.look):
            return None
    async with runs_of(job, patience=math.inf) as runs:
        if not await runs.claim():
            raise _running(job)
        run = CrawlRun(runs, job.name, command(file), pace=pace)
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, run.stop)
        stop_at_hangup()
        return await run.to_its_end()


async def _scheduler_takes(runs: Runs, seconds: float) -> bool:
    """Ask for a run, and take that back if no scheduler takes it up."""
    await runs.ask()
    until = asyncio.get_running_loop().time() + seconds
    while asyncio.get_running_loop().time() < until:
        await asyncio.sleep(_POLL_SECONDS)
        if not (await runs.look()).is_asked:
            return True
    return not await runs.take_request()


def _running(job: Job) -> InUseError:
    return InUseError(f"{job.name}: it runs already; wait until it ends")

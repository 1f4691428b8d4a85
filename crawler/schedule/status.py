"""How it stands with a job's schedule, for people."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Literal

from crawler.schedule.opening import runs_of
from crawler.schedule.times import next_starts
from settings import Job

Doing = Literal["runs", "interrupted", "paused", "asked", "waits", "ended", "unscheduled"]


@dataclass(frozen=True, slots=True)
class Status:
    """A job's schedule. Moments are seconds since 1970.

    doing: ``runs``; ``interrupted``, and is taken up again by a scheduler; ``paused``; ``asked``
        for a run; ``waits`` for its next start; ``ended``, no start is to come; ``unscheduled``.
    run: the number of the latest run; 0 if there was none. ended, exit_code: None if it has not.
    next: the next starts, as many as wanted; none while it is paused.
    """

    file: Path
    job: str
    doing: Doing
    run: int
    started: float | None
    ended: float | None
    exit_code: int | None
    next: tuple[float, ...]


async def status_of(file: Path, job: Job, *, count: int = 1) -> Status:
    """count: how many of the next starts are wanted. Raises FrontierError."""
    async with runs_of(job) as runs:
        state = await runs.look()
        is_running = await runs.is_claimed()
    record = state.record
    following: tuple[float, ...] = ()
    if not state.is_paused:
        # Starts up to now fall to the run that goes on, as if it ended at once.
        latest = replace(record, ended=state.now) if is_running else record
        following = tuple(islice(next_starts(job, latest, state.now), count))
    doing: Doing = "waits" if following else "ended"
    if is_running:
        doing = "runs"
    elif state.is_asked:
        doing = "asked"
    elif state.is_paused:
        doing = "paused"
    elif record.is_open:
        doing = "interrupted"
    elif not job.schedule.is_set:
        doing = "unscheduled"
    return Status(
        file=file,
        job=job.name,
        doing=doing,
        run=record.number,
        started=record.started,
        ended=record.ended,
        exit_code=record.code,
        next=following,
    )

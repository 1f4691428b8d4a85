"""When a job is due. Moments are seconds since 1970."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from cronsim import CronSim

from crawler.schedule.runs import Record
from settings import Job
from settings.tables.schedule import Schedule

# By how many periods a clock that was set back may put a start off.
_MOST_PERIODS: Final = 2


def next_start(job: Job, record: Record, now: float, *, passed: float = -math.inf) -> float | None:
    """When a job that does not run is to be started; in the past if it is late. None: never again.

    record: up to date. passed: starts up to this moment were left out.
    """
    schedule = job.schedule
    if not schedule.is_set:
        return None
    since, latest = _known(schedule, record, now)
    passed = min(passed, now)
    if latest is None and schedule.every is not None:
        due = max(since, passed)
    else:
        due = _following(schedule, since, max(since if latest is None else latest, passed))
    if max(due, now) >= _end(schedule):
        return None
    return due + _delay(schedule.jitter, job.name, due)


def up_to_date(job: Job, record: Record, now: float) -> Record:
    """The record of a job that is seen for the first time, or whose clock was set back.

    A clock that was set back repeats no start, unless the next one would be far away.
    """
    schedule = job.schedule
    since, latest = _known(schedule, record, now)
    is_new = record.since is None
    if not schedule.is_set or not (is_new or _waits_too_long(schedule, since, latest, now)):
        return record
    started, ended = (
        None if moment is None else min(moment, now) for moment in (record.started, record.ended)
    )
    return replace(record, since=min(since, now), started=started, ended=ended)


def next_starts(job: Job, record: Record, now: float) -> Iterator[float]:
    """The next starts, if each run ends at once."""
    record = up_to_date(job, record, now)
    while (start := next_start(job, record, now)) is not None:
        now = max(start, now)
        yield now
        record = replace(record, started=now, ended=now)


def time_text(moment: float, zone: str) -> str:
    """A moment as people of a time zone write it.

    >>> time_text(1_800_000_000, "Europe/Berlin")
    '2027-01-15 09:00:00 CET'
    """
    return f"{datetime.fromtimestamp(moment, ZoneInfo(zone)):%Y-%m-%d %H:%M:%S %Z}"


def end_of(schedule: Schedule) -> datetime | None:
    """``until``, with its time zone."""
    until = schedule.until
    if until is None or until.tzinfo is not None:
        return until
    return until.replace(tzinfo=ZoneInfo(schedule.timezone))


def _known(schedule: Schedule, record: Record, now: float) -> tuple[float, float | None]:
    """When the schedule began, and up to when its starts have been, or were left out, if ever."""
    latest = record.started if schedule.on_overlap == "wait" else record.ended
    return now if record.since is None else record.since, latest


def _waits_too_long(schedule: Schedule, since: float, latest: float | None, now: float) -> bool:
    moment = since if latest is None else latest
    if moment <= now:
        return False
    due = _following(schedule, since, moment)
    period = max(due - moment, _following(schedule, since, due) - due)
    return due - now > _MOST_PERIODS * period


def _following(schedule: Schedule, since: float, moment: float) -> float:
    """The first start later than a moment; infinity if there is none."""
    if schedule.every is not None:
        return since + schedule.every * (math.floor((moment - since) / schedule.every) + 1)
    place = ZoneInfo(schedule.timezone)
    for found in CronSim(schedule.cron or "", datetime.fromtimestamp(moment, place)):
        # In the hour that the end of summer time repeats, it may find times of the first pass.
        if found.timestamp() > moment:
            return found.timestamp()
    return math.inf


def _end(schedule: Schedule) -> float:
    end = end_of(schedule)
    return math.inf if end is None else end.timestamp()


def _delay(jitter: float, job: str, due: float) -> float:
    """A share of the jitter that depends on nothing but the job and the time."""
    return jitter * zlib.crc32(f"{job} {due:.0f}".encode()) / 2**32

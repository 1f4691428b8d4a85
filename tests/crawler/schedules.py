"""Jobs with schedules, and a life of a scheduler in virtual time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from crawler.schedule.runs import Record
from crawler.schedule.times import next_start, up_to_date
from settings import Job, parse_job

BERLIN = ZoneInfo("Europe/Berlin")


def job(lines: str) -> Job:
    return parse_job(f'name = "a"\nseeds.urls = ["http://localhost/"]\n[schedule]\n{lines}')


def at(text: str, zone: ZoneInfo = BERLIN, *, fold: int = 0) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold).timestamp()


def shown(moment: float | None, zone: ZoneInfo = BERLIN) -> str:
    assert moment is not None
    return f"{datetime.fromtimestamp(moment, zone):%m-%d %H:%M}"


def life(
    scheduled: Job,
    clock: Callable[[float], float],
    seconds: float,
    *,
    look: float = 60,
    takes: float = 0,
) -> list[float]:
    """When a scheduler that looks every ``look`` seconds starts runs, in seconds that pass evenly.

    clock: what the clock says then. takes: how long a run does.
    """
    record, passed, started = Record(), 0.0, []
    while passed < seconds:
        now = clock(passed)
        record = up_to_date(scheduled, record, now)
        start = next_start(scheduled, record, now)
        if start is not None and start <= now:
            started.append(passed)
            passed += takes
            record = replace(record, started=now, ended=clock(passed))
        passed += look
    return started

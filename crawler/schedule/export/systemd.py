"""A job's schedule as a timer and a service of systemd."""

from __future__ import annotations

from pathlib import Path
from string import Template
from typing import Final

from crawler.schedule.export.crontab import calendar_events
from crawler.schedule.export.errors import ExportError
from crawler.schedule.times import end_of
from settings import Job
from settings.logins import without_login
from settings.quantities import duration_text

_FOLDER: Final = Path(__file__).parent
# What a crawl needs to shut down, on top of the page that it is at.
_GRACE_SECONDS: Final = 60


def systemd_units(
    job: Job,
    file: Path,
    *,
    program: Path,
    folder: Path,
    user: str | None = None,
    frontier: str | None = None,
) -> dict[str, str]:
    """The units, by the names of their files. Raises ExportError.

    program: ``genre-crawler``. folder: where it runs, from which relative paths begin.
    user: who runs it; None in a service of a user's own. frontier: the URL of a Redis.
    """
    if job.schedule.on_overlap == "wait":
        raise ExportError(
            'schedule.on_overlap is "wait"; it must be "skip", as systemd leaves out what comes '
            "while the service still runs"
        )
    if frontier and without_login(frontier) != frontier:
        raise ExportError(
            "--frontier has a password, which everybody could read in the unit; write it into the "
            "job file, as frontier.url"
        )
    name = f"genre-crawler-{job.name}"
    there = ("--frontier", frontier) if frontier else ()
    values = {
        "job": _plain(job.name),
        "directory": _plain(str(folder)),
        "command": " ".join(map(_word, (str(program), "crawl", str(file), *there))),
        "condition": _condition(job),
        "user": f"User={user}\n" if user else "",
        "grace": f"{job.limits.page_time + _GRACE_SECONDS:.0f}",
        "times": "\n".join(_times(job)),
        "delay": _delay(job),
    }
    return {f"{name}.{kind}": _filled(f"crawl.{kind}", values) for kind in ("service", "timer")}


def _times(job: Job) -> list[str]:
    schedule = job.schedule
    if schedule.every is not None:
        return ["OnActiveSec=1s", f"OnUnitActiveSec={duration_text(schedule.every)}"]
    events = calendar_events(schedule.cron or "", schedule.timezone)
    return [*(f"OnCalendar={event}" for event in events), "Persistent=yes"]


def _delay(job: Job) -> str:
    jitter = job.schedule.jitter
    delay = f"RandomizedDelaySec={duration_text(jitter)}\nFixedRandomDelay=yes\n"
    return delay if jitter else ""


def _condition(job: Job) -> str:
    end = end_of(job.schedule)
    if end is None:
        return ""
    test = _word(f'test "$(date +%s)" -lt {end.timestamp():.0f}')
    return f"# Until {end.isoformat()}\nExecCondition=/bin/sh -c {test}\n"


def _filled(name: str, values: dict[str, str]) -> str:
    return Template((_FOLDER / name).read_text(encoding="utf-8")).substitute(values)


def _plain(text: str) -> str:
    """A text without systemd's specifiers."""
    return text.replace("%", "%%")


def _word(text: str) -> str:
    """One word of a command line."""
    escaped = _plain(text).replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return f'"{escaped}"'

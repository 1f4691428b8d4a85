"""Cron expressions as systemd and Kubernetes write them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from datetime import UTC, datetime
from typing import Final, cast

from cronsim import CronSim

from crawler.schedule.export.errors import ExportError
from settings.quantities import duration_text

_WEEKDAYS: Final = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
# Cron also calls it 0.
_SUNDAY: Final = 7
_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86_400
_WEEK: Final = 604_800


def calendar_events(cron: str, zone: str) -> list[str]:
    """Values of systemd's ``OnCalendar=``; each of them starts the job. Raises ExportError.

    >>> calendar_events("30 3,15 1,L * *", "UTC")
    ['*-*-1 3,15:30:00 UTC', '*-*~1 3,15:30:00 UTC']
    >>> calendar_events("0 3 1 * MON", "UTC")
    ['*-*-1 3:0:00 UTC', 'Mon *-*-* 3:0:00 UTC']
    """
    parsed = _parsed(cron)
    weekdays = _listed(_weekdays(parsed), len(_WEEKDAYS), _WEEKDAYS.__getitem__)
    months = _listed(parsed.months, 12)
    dates = [f"*-{months}{day}" for day in _days(parsed)]
    if weekdays != "*" and parsed.day_and:
        dates = [f"{weekdays} {date}" for date in dates]
    elif not parsed.day_and:
        dates.append(f"*-{months}-*" if weekdays == "*" else f"{weekdays} *-{months}-*")
    time = f"{_listed(parsed.hours, 24)}:{_listed(parsed.minutes, 60)}:00"
    return [f"{date} {time} {zone}" for date in dates]


def plain_cron(cron: str) -> str:
    """The expression as every cron understands it. Raises ExportError.

    >>> plain_cron("0 3 * * FRI-7")
    '0 3 * * 0,5,6'
    """
    parsed = _parsed(cron)
    weekdays = _weekdays(parsed)
    if min(parsed.days) < 0:
        raise _special(cron)
    *fields, last = cron.split()
    if _SUNDAY in cast("Set[int]", parsed.weekdays) and not last.startswith("*"):
        last = _listed(weekdays, len(_WEEKDAYS))
    return " ".join((*fields, last))


def cron_of(every: float) -> str:
    """A cron expression that comes every so many seconds. Raises ExportError if there is none.

    >>> cron_of(900), cron_of(21_600), cron_of(86_400)
    ('*/15 * * * *', '0 */6 * * *', '0 0 * * *')
    """
    if every < _HOUR and every % _MINUTE == 0 and _HOUR % every == 0:
        return f"*/{every / _MINUTE:.0f} * * * *"
    if every < _DAY and every % _HOUR == 0 and _DAY % every == 0:
        return f"0 */{every / _HOUR:.0f} * * *"
    if every in (_DAY, _WEEK):
        return "0 0 * * *" if every == _DAY else "0 0 * * 0"
    raise ExportError(
        f'schedule.every is "{duration_text(every)}"; for a cron it must be whole minutes of which '
        "an hour is a multiple, hours of which a day is one, a day, or a week"
    )


def _parsed(cron: str) -> CronSim:
    return CronSim(cron, datetime.now(UTC))


def _weekdays(parsed: CronSim) -> Set[int]:
    """0 for Sunday to 6."""
    if any(isinstance(day, tuple) for day in parsed.weekdays):
        raise _special(" ".join(parsed.parts[1:]))
    return {day % _SUNDAY for day in cast("Set[int]", parsed.weekdays)}


def _days(parsed: CronSim) -> Iterator[str]:
    """Days of the month, after the month in a date of systemd's."""
    if CronSim.LAST_WEEKDAY in parsed.days:
        raise _special(" ".join(parsed.parts[1:]))
    numbers = parsed.days - {CronSim.LAST}
    if numbers:
        yield f"-{_listed(numbers, 31)}"
    if CronSim.LAST in parsed.days:
        yield "~1"


def _listed(numbers: Set[int], count: int, name: Callable[[int], str] = str) -> str:
    """The numbers with commas between them, or an asterisk if these are all that there are."""
    return "*" if len(numbers) == count else ",".join(map(name, sorted(numbers)))


def _special(cron: str) -> ExportError:
    return ExportError(
        f'schedule.cron is "{cron}"; what stands there for the last or the n-th day (L, LW, #) '
        "cannot be exported"
    )

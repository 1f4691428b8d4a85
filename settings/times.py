"""Validates what a job says of times: cron expressions, time zones, dates."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from typing import Final
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

_LONGEST: Final = 100
_FIELDS: Final = 5
# Any moment: from it, the first time of an expression is looked for over 50 years.
_SOME_MOMENT: Final = datetime(2000, 1, 1, tzinfo=UTC)


def cron(text: str) -> str:
    """The cron expression, if it is valid. Raises ValueError that says what would be right.

    >>> cron("*/15 6-22 * * MON-FRI")
    '*/15 6-22 * * MON-FRI'
    """
    if len(text) > _LONGEST or len(text.split()) != _FIELDS:
        raise ValueError(
            "must have five fields (minute, hour, day of the month, month, day of the week), such "
            'as "0 3 * * *"'
        )
    try:
        next(CronSim(text, _SOME_MOMENT))
    except CronSimError as error:
        why = str(error).lower()
        raise ValueError(f'must be a cron expression such as "0 3 * * *" ({why})') from None
    except StopIteration:
        raise ValueError("must name days that exist; this one never comes") from None
    return text


def time_zone(text: str) -> str:
    """The name, if it is that of a time zone. Raises ValueError.

    >>> time_zone("Europe/Berlin")
    'Europe/Berlin'
    """
    zone(text)
    return text


def zone(text: str) -> ZoneInfo:
    """The time zone of that name. Raises ValueError if there is none."""
    # Of a long one, Python would search the parts as packages, one in the other.
    if len(text) > _LONGEST:
        raise ValueError(f"{text[:_LONGEST]}… is no time zone")
    try:
        return ZoneInfo(text)
    except (LookupError, ValueError, OSError):  # the last for a folder of zones
        raise ValueError(f"{text} is no time zone") from None


def moment(value: object) -> datetime | None:
    """The beginning of a date, or a time of day, as TOML or a text has it. Raises ValueError.

    >>> moment("2027-01-31"), moment("2027-01-31T18:00+01:00").utcoffset()
    (datetime.datetime(2027, 1, 31, 0, 0), datetime.timedelta(seconds=3600))
    """
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime.combine(value, time())
    if value is None or isinstance(value, datetime):
        return value
    raise ValueError("not a date")

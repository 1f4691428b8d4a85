"""Dates of publication: many spellings in, ISO 8601 out, nothing impossible."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime

# The web's first year is the least that a page may claim.
FIRST_YEAR = 1991
_LONGEST = 60
# Clocks of servers differ, and a date without a zone may be a day ahead.
_AHEAD = timedelta(days=1)

_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_CJK = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
_NAMED = re.compile(
    r"(?:(?P<day>\d{1,2})(?:st|nd|rd|th)?\.?\s+)?(?P<month>[A-Za-z]{3,9})\.?\s+"
    r"(?:(?P<late_day>\d{1,2})(?:st|nd|rd|th)?,?\s+)?(?P<year>\d{4})"
)
_IN_URL = re.compile(r"/((?:19|20)\d\d)[/-](\d{1,2})[/-](\d{1,2})(?:/|-|$)")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


def published(values: Iterable[str], fetched_at: datetime) -> str | None:
    """The first of the values that is a possible date of publication, as ISO 8601.

    A time of day is kept with its offset, to the second; without one where none was given.

    >>> moment = datetime(2026, 5, 1, tzinfo=UTC)
    >>> published(["soon", "2031-01-01", "2024-02-03T04:05:06Z"], moment)
    '2024-02-03T04:05:06+00:00'
    >>> published(["March 5th, 2020"], moment), published(["2020年3月5日"], moment)
    ('2020-03-05', '2020-03-05')
    """
    for value in values:
        found = _parse(value.strip())
        if found is not None and _is_possible(found, fetched_at):
            if isinstance(found, datetime):
                return found.replace(microsecond=0).isoformat()
            return found.isoformat()
    return None


def date_in_url(url: str) -> str | None:
    """A date that is part of the path, as many news sites and blogs write it.

    >>> date_in_url("https://example.com/2024/05/12/a-title.html")
    '2024-05-12'
    """
    found = _IN_URL.search(url.partition("?")[0])
    return "-".join((found[1], found[2].zfill(2), found[3].zfill(2))) if found else None


def _parse(value: str) -> date | None:
    """A date or a datetime; None for what is neither, or is too vague to tell day from month."""
    if not 8 <= len(value) <= _LONGEST:
        return None
    for parse in (_iso, _rfc2822, _written):
        try:
            found = parse(value)
        except (ValueError, OverflowError, TypeError, IndexError):
            continue
        if found is not None:
            return found
    return None


def _iso(value: str) -> date:
    if len(value) <= len("2024-01-01"):
        return date.fromisoformat(value)
    return datetime.fromisoformat(value)


def _rfc2822(value: str) -> datetime | None:
    return parsedate_to_datetime(value) if ":" in value and "," in value[:12] else None


def _written(value: str) -> date | None:
    if found := _YEAR_FIRST.search(value) or _CJK.search(value):
        return date(int(found[1]), int(found[2]), int(found[3]))
    if found := _NAMED.search(value):
        day = found["day"] or found["late_day"]
        if day is not None:
            month = _MONTHS.index(found["month"][:3].lower()) + 1
            return date(int(found["year"]), month, int(day))
    return None


def _is_possible(found: date, fetched_at: datetime) -> bool:
    if not isinstance(found, datetime):
        latest = (fetched_at.astimezone(UTC) + _AHEAD).date()
        return found.year >= FIRST_YEAR and found <= latest
    aware = found if found.tzinfo else found.replace(tzinfo=UTC)
    try:
        return found.year >= FIRST_YEAR and aware <= fetched_at + _AHEAD
    except OverflowError:
        return False

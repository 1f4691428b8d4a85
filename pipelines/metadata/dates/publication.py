"""The date of publication: the first plausible one that a page gives, as ISO 8601.

Dates are read in ISO 8601, RFC 2822, and as people write them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

from pipelines.metadata.dates.languages import month_number
from pipelines.metadata.dates.written_dates import written_dates

_SHORTEST = 8
# Of a text that holds a date and the words around it, in characters.
LONGEST = 60
_RFC_2822 = re.compile(r"[a-z]{3},\s+\d{1,2}[ -][a-z]{3}[ -]\d{4}\s+\d\d:\d\d", re.I)

# The year of the first newspaper: archives declare the date of the printed original.
FIRST_PRINTED: Final = 1605
# The web's first year: the minimum for dates in a page's text or URL.
FIRST_ON_THE_WEB: Final = 1991

# Tolerance for servers' clocks and dates without a time zone.
_AHEAD = timedelta(days=1)
# Default values of unset dates, in various time zones.
_NEVER_SET = {
    date.fromisoformat(day) for day in ("1899-12-30", "1900-01-01", "1969-12-31", "1970-01-01")
}

# With hyphens, single digits are a version number: "/2024-4-1-is-released".
_IN_URL = re.compile(
    r"/((?:19|20)\d\d)"
    r"(?:/(\d{1,2})/(\d{1,2})|-(\d\d)[/-](\d\d)|/([a-z]{3})/(\d{1,2})|/?(\d\d)(\d\d))"
    r"(?:[/+_.-]|$)|[_-](20\d\d)(\d\d)(\d\d)(?:\.\w{1,5}|/)?$",
    re.I,
)


def published(
    values: Iterable[str],
    fetched_at: datetime,
    *,
    first_year: int = FIRST_PRINTED,
    language: str = "",
) -> str | None:
    """The first of the values that is a plausible date of publication, as ISO 8601.

    A time of day is kept, to the second, with its offset if one was given.

    language: the value of ``<html lang>``, which may decide whether 3/4/2024 is in March or April.

    >>> moment = datetime(2026, 5, 1, tzinfo=UTC)
    >>> published(["soon", "2031-01-01", "2024-02-03T04:05:06Z"], moment)
    '2024-02-03T04:05:06+00:00'
    >>> published(["March 5th, 2020"], moment), published(["3/4/2020"], moment, language="fr")
    ('2020-03-05', '2020-04-03')
    """
    for value in values:
        found = parsed(value, language)
        if found is not None and found.year >= first_year and _is_possible(found, fetched_at):
            if isinstance(found, datetime):
                return found.replace(microsecond=0).isoformat()
            return found.isoformat()
    return None


def parsed(text: str, language: str = "") -> date | None:
    """The first date in a short text; a datetime if it is in ISO 8601 or RFC 2822 with a time.

    language: the value of ``<html lang>``. If it does not decide, 3/4/2024 is ambiguous and
    ignored.

    >>> parsed("Posted on March 5th, 2020"), parsed("le 1er août 2020"), parsed("2020年3月5日")
    (datetime.date(2020, 3, 5), datetime.date(2020, 8, 1), datetime.date(2020, 3, 5))
    >>> parsed("25/12/2020"), parsed("3.4.2020"), parsed("3/4/2020"), parsed("5-7 March 2020")
    (datetime.date(2020, 12, 25), datetime.date(2020, 4, 3), None, None)
    """
    text = text.strip()
    if not _SHORTEST <= len(text) <= LONGEST:
        return None
    for parse in (_iso, _rfc2822):
        try:
            found = parse(text)
        except (ValueError, OverflowError, TypeError, IndexError):
            continue
        if found is not None:
            return found
    return next(written_dates(text, language), None)


def _iso(text: str) -> date:
    if len(text) <= len("2024-01-01"):
        return date.fromisoformat(text)
    return datetime.fromisoformat(text)


def _rfc2822(text: str) -> datetime | None:
    return parsedate_to_datetime(text) if _RFC_2822.match(text) else None


def date_in_url(url: str) -> str | None:
    """The date in the path, as in the URLs of many news sites and blogs.

    >>> date_in_url("https://example.com/2024/5/12/a-title.html")
    '2024-05-12'
    >>> date_in_url("https://example.com/2024-05-12-a-title"), date_in_url("/2024-5-1-is-released")
    ('2024-05-12', None)
    >>> date_in_url("https://example.com/2024/May/12/a-title"), date_in_url("/20240512/a-title")
    ('2024-05-12', '2024-05-12')
    """
    found = _IN_URL.search(url.partition("?")[0])
    if found is None:
        return None
    year, month, day = filter(None, found.groups())
    if month.isalpha():
        month = str(month_number(month, "en"))
    return f"{year}-{month.zfill(2)}-{day.zfill(2)}"


def is_later(one: str, other: str) -> bool:
    """Whether a date is more than a day later than another, so that time zones do not matter.

    >>> is_later("2024-05-13T01:00:00+02:00", "2024-05-12"), is_later("2024-05-14", "2024-05-12")
    (False, True)
    """
    return date.fromisoformat(one[:10]) - date.fromisoformat(other[:10]) > _AHEAD


def _is_possible(found: date, fetched_at: datetime) -> bool:
    """Whether the date is neither a default value nor in the future."""
    if not isinstance(found, datetime):
        latest = (fetched_at.astimezone(UTC) + _AHEAD).date()
        return found not in _NEVER_SET and found <= latest
    aware = found if found.tzinfo else found.replace(tzinfo=UTC)
    try:
        return found.date() not in _NEVER_SET and aware <= fetched_at + _AHEAD
    except OverflowError:
        return False

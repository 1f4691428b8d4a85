"""Parses dates: ISO 8601, RFC 2822, and dates as people write them."""

from __future__ import annotations

import re
from datetime import date, datetime
from email.utils import parsedate_to_datetime

from pipelines.metadata.written_dates import written_dates

_SHORTEST = 8
# Of a text that holds a date and the words around it, in characters.
LONGEST = 60

_RFC_2822 = re.compile(r"[a-z]{3},\s+\d{1,2}[ -][a-z]{3}[ -]\d{4}\s+\d\d:\d\d", re.I)


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

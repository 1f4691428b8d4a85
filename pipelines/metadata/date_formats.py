"""How pages spell dates: ISO 8601, RFC 2822, and what people write in many languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from email.utils import parsedate_to_datetime

from pipelines.metadata.months import month_number

_SHORTEST = 8
# Of a text that is a date, with the words that go with it.
LONGEST = 60

# What stands before or after none of these is a date of its own, no end of a range or a number.
_BEGIN = r"(?<![\w./–-])"
_END = r"(?![\w–]|[./-]\d)"
_DAY = r"(\d{1,2})(?:st|nd|rd|th|er|[.º])?"
_YEAR = r"(\d{4})"
_MONTH = r"([^\W\d_]{3,12})\.?"
_GAP = r"[\s,/-]+"
_OF = rf"{_GAP}(?:(?:de|del|of)\s+)?"

_RFC_2822 = re.compile(r"[a-z]{3},\s+\d{1,2}[ -][a-z]{3}[ -]\d{4}\s+\d\d:\d\d", re.I)
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)")
_EAST_ASIAN = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
_DAY_MONTH = re.compile(rf"{_BEGIN}{_DAY}{_OF}{_MONTH}{_OF}{_YEAR}{_END}", re.I)
_MONTH_DAY = re.compile(rf"{_MONTH}{_GAP}{_DAY}{_GAP}{_YEAR}{_END}", re.I)
_YEAR_MONTH_DAY = re.compile(rf"{_BEGIN}{_YEAR}\.?{_GAP}{_MONTH}{_GAP}{_DAY}{_END}", re.I)
_NUMBERS = re.compile(rf"{_BEGIN}(\d{{1,2}})([./-])(\d{{1,2}})\2{_YEAR}{_END}")


def parsed(text: str, *, day_first: bool = False) -> date | None:
    """The first date in a short text, or datetime where it is one of ISO 8601 or RFC 2822.

    day_first: 3/4/2024 is in April. Otherwise it is not to be known, and None.

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
    return next(_written(text, day_first), None)


def _iso(text: str) -> date:
    if len(text) <= len("2024-01-01"):
        return date.fromisoformat(text)
    return datetime.fromisoformat(text)


def _rfc2822(text: str) -> datetime | None:
    return parsedate_to_datetime(text) if _RFC_2822.match(text) else None


def _written(text: str, day_first: bool) -> Iterator[date]:
    for year, month, day in _numbered(text, day_first):
        try:
            yield date(int(year), int(month), int(day))
        except ValueError:
            continue


def _numbered(text: str, day_first: bool) -> Iterator[tuple[str | int, str | int, str | int]]:
    """Year, month and day of everything that looks like a date, possible or not."""
    if found := _YEAR_FIRST.search(text):
        yield found[1], found[3], found[4]
    if found := _EAST_ASIAN.search(text):
        yield found[1], found[2], found[3]
    if (found := _DAY_MONTH.search(text)) and (month := month_number(found[2])):
        yield found[3], month, found[1]
    if (found := _MONTH_DAY.search(text)) and (month := month_number(found[1])):
        yield found[3], month, found[2]
    if (found := _YEAR_MONTH_DAY.search(text)) and (month := month_number(found[2])):
        yield found[1], month, found[3]
    if found := _NUMBERS.search(text):
        first, mark, second, year = found.groups()
        if day_first or mark == "." or int(first) > 12 or first == second:
            yield year, second, first
        elif int(second) > 12:
            yield year, first, second

"""What a page's language, the value of ``<html lang>``, says about its dates."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

_DATA: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)

READ_IN: Final = frozenset(_DATA["read"].split())
"""Languages whose names of months are known, or that have none."""
_DAY_FIRST: Final = frozenset(_DATA["day_first"].split())
_OF_REGIONS: Final = re.compile(r"en-(?:gb|au|nz|ie|in|za)\b")
_OTHER_REGIONS: Final = re.compile(r"es-(?:us|pr|pa)\b")
# The Ethiopian calendar is seven or eight years behind, and its dates look like Gregorian ones.
_OF_OTHER_CALENDARS: Final = frozenset({"am", "ti"})

_LEAST_LETTERS: Final = 3
_CROATIAN: Final = frozenset({"hr", "bs"})
_UNLIKE_CROATIAN: Final = frozenset({"pl", "cs"})


def primary(language: str) -> str:
    """The language without script and region.

    >>> primary("zh_TW"), primary("EN"), primary("")
    ('zh', 'en', '')
    """
    return _tag(language).partition("-")[0]


def writes_day_first(language: str) -> bool:
    """Whether 3/4/2024 is certainly in April.

    >>> [writes_day_first(tag) for tag in ("fr", "en-GB", "en", "es_US", "ja", "")]
    [True, True, False, False, False, False]
    """
    tag = _tag(language)
    if _OF_REGIONS.match(tag):
        return True
    return primary(tag) in _DAY_FIRST and not _OTHER_REGIONS.match(tag)


def has_other_calendar(language: str) -> bool:
    """Whether numeric dates may be in a calendar that looks like the Gregorian one."""
    return primary(language) in _OF_OTHER_CALENDARS


def from_persian(year: int, month: int, day: int) -> date:
    """The Gregorian date of one in the Persian calendar, by its leap years since 1799.

    Raises ValueError if there is no such month or day.

    >>> from_persian(1402, 1, 16), from_persian(1403, 12, 30)
    (datetime.date(2023, 4, 5), datetime.date(2025, 3, 20))
    """
    if not (1 <= month <= 12 and 1 <= day <= (31 if month <= 6 else 30)):
        raise ValueError(f"no day of the Persian calendar: {year}-{month}-{day}")
    # Six months of 31 days, then of 30; eight leap years in 33.
    days = 31 * (month - 1) - max(0, month - 7) + day
    return date.fromordinal(226_894 + 365 * (year - 1) + (8 * year + 21) // 33 + days)


def month_number(word: str, language: str = "") -> int | None:
    """1 to 12 for a month name or an unambiguous prefix of one.

    language: without script and region; it separates Croatian names from Polish and Czech ones.

    >>> month_number("September"), month_number("Sept"), month_number("févr")
    (9, 9, 2)
    >>> month_number("jui"), month_number("Ma"), month_number("Monday")
    (None, None, None)
    >>> [month_number("listopada", language) for language in ("hr", "pl", "")]
    [10, 11, None]
    """
    word = word.casefold()
    number, in_croatian = _NUMBERS.get(word), _CROATIAN_NUMBERS.get(word)
    if in_croatian is None or language in _UNLIKE_CROATIAN:
        return number
    if number is None or language in _CROATIAN:
        return in_croatian
    return number if number == in_croatian else None


def event_pattern(event: str) -> re.Pattern[str]:
    """Finds words that say that a date is that of an event: ``update`` or ``other``."""
    return re.compile("|".join(_DATA["events"][event]), re.I)


def _numbers(months: Mapping[str, str], whole: Mapping[str, str]) -> dict[str, int]:
    """Months by their names and unambiguous prefixes. whole: names without prefixes."""
    numbers: dict[str, set[int]] = {}
    names = _numbered(months)
    for name, number in names.items():
        for length in range(min(_LEAST_LETTERS, len(name)), len(name) + 1):
            numbers.setdefault(name[:length], set()).add(number)
    prefixes = {word: found.pop() for word, found in numbers.items() if len(found) == 1}
    # A complete name is unambiguous even if it is a prefix of another.
    return prefixes | names | _numbered(whole)


def _numbered(months: Mapping[str, str]) -> dict[str, int]:
    return {
        name.casefold().replace("_", " "): number
        for row in months.values()
        for number, spellings in enumerate(row.split(), start=1)
        for name in spellings.split("/")
    }


def _tag(language: str) -> str:
    return language.strip().lower().replace("_", "-")


_NUMBERS: Final = _numbers(_DATA["months"], _DATA["whole_months"])
LONG_MONTHS: Final = sorted(
    (name for name in _numbered(_DATA["months"] | _DATA["whole_months"]) if " " in name),
    key=len,
    reverse=True,
)
"""Names of months that have a space, the longest first."""
_CROATIAN_NUMBERS: Final = _numbers(_DATA["croatian_months"], {})

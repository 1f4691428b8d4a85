"""Finds dates as people write them, in many languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from pipelines.metadata.dates.languages import (
    LONG_MONTHS,
    READ_IN,
    from_persian,
    has_other_calendar,
    month_number,
    primary,
    writes_day_first,
)

# Japanese and Taiwanese eras, and the Gregorian year before the first year of each.
_YEAR_BEFORE: Final = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}
ERA: Final = "|".join(_YEAR_BEFORE)
_FIRST_YEAR = "元"

_THAI = re.compile(r"[\u0e00-\u0e7f]")
# Thai pages use both Buddhist and Gregorian years; these are too far ahead to be Gregorian.
_BUDDHIST_YEARS = range(2400, 2700)
_BUDDHIST_AHEAD = 543
# The same for Iran; they are too old to be Gregorian years of the web.
_PERSIAN_YEARS = range(1370, 1473)

# These exclude dates that are the end of a range or part of a longer number.
_BEGIN = r"(?<![\w./–-])"
_END = r"(?![\w–]|[./-]\d)"
_DAY = r"(\d{1,2})(?:st|nd|rd|th|er|[.º])?"
_YEAR = r"(\d{4})"
# With the vowel signs of India and Thailand, which Python's \w excludes.
_LETTERS = (
    r"(?:[^\W\d_]|(?!\d)[\u0900-\u0963\u0980-\u0dff\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u200c\u200d])"
    r"{2,12}"
)
# Also abbreviated as "พ.ค.".
_MONTH = (
    rf"({'|'.join(LONG_MONTHS)}|{_LETTERS}|"
    r"[\u0e01-\u0e40]{1,2}[\u0e34\u0e35]?\.[\u0e04\u0e1e\u0e22])\.?"
)
# The month's other name in Arabic: "نيسان/أبريل".
_OTHER_NAME = rf"(?:\s?/\s?{_LETTERS})?"
_GAP = r"[\s,/-]+"
_OF = rf"{_GAP}(?:(?:de|del|of|[พค]\.ศ\.)\s+|d['’])?"
# "Year" in Lithuanian, Latvian, Kazakh and Basque.
_OF_YEAR = r"(?:\.?\s(?:m\.|gada|жылғы)|\.|e?ko)?"

_DAY_MONTH = re.compile(rf"{_BEGIN}{_DAY}{_OF}{_MONTH}{_OTHER_NAME}{_OF}{_YEAR}{_END}", re.I)
# As of `date` and C's ctime: "Tue Mar  6 10:11:12 CET 2012".
_TIME = r"(?:\d\d:\d\d:\d\d\s+(?:(?:[a-z]{2,5}|[+-]\d{4})\s+)?)?"
_MONTH_DAY = re.compile(rf"{_MONTH}{_GAP}{_DAY}{_GAP}{_TIME}{_YEAR}{_END}", re.I)
_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = re.compile(rf"\b({'|'.join(_WEEKDAYS)})[a-z]{{0,6}}[.,]?\s+\Z", re.I | re.A)
# Before a date: it is the end of a period, as in "Apr 15 - May 13, 2026".
_PERIOD_BEGAN = re.compile(rf"\b{_MONTH}\s\d{{1,2}}\s?[–—-]\s?\Z")
_YEAR_MONTH_DAY = re.compile(rf"{_BEGIN}{_YEAR}{_OF_YEAR}{_GAP}{_MONTH}{_GAP}{_DAY}a?{_END}", re.I)
_YEAR_DAY_MONTH = re.compile(rf"{_BEGIN}{_YEAR}{_OF_YEAR}{_GAP}{_DAY}{_GAP}{_MONTH}", re.I)
_NUMBERS = re.compile(rf"{_BEGIN}(\d{{1,2}})(\.\s?|[/-])(\d{{1,2}})\2{_YEAR}{_END}")
_SHORT_YEAR = re.compile(rf"{_BEGIN}(\d\d)\.(\d\d)\.(\d\d){_END}")

# Full stops also separate version numbers: after a Latin word, month and day need two digits.
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?!\d)")
_DOTTED = re.compile(
    r"(?<![\dA-Za-z.])(?<!version )(?:(?<![a-z] )(?<![a-z]: )|(?=\d{4}\.\s?\d\d\.\s?\d\d))"
    r"(\d{4})\.\s?(\d{1,2})\.\s?(\d{1,2})(?!\d)",
    re.I,
)
_EAST_ASIAN = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
# "令和6年5月12日", possibly with the Gregorian year before or after the era's year.
_OF_ERA = re.compile(
    rf"({ERA})\s*(元|\d{{1,3}})\s*年\s*(?:[）)]|[（(]\d{{4}}\s*年?[）)])?"
    r"\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日"
)
# After a date that begins with the year: it is part of a longer number, or starts a period.
_GOES_ON = re.compile(
    r"[./-]\d(?!\d?:\d)|"
    r"\.?\s*(?:[（(].{1,3}[）)])?(?:\s*\d{1,2}:\d\d)?\s*"
    r"(?:(?:[~～〜至]|から|부터)\s*\d|"
    r"[–—-]\s*(?:\d{4}\s*[年년./-]|\d{1,2}\s*[月월日일]|\d{1,2}[./-]\d))"
)

_MONTHS_OF_VIETNAM: Final = (
    "một", "hai", "ba", "tư", "năm", "sáu", "bảy", "tám", "chín", "mười", "mười một", "mười hai",
)  # fmt: skip
_VIETNAMESE = re.compile(
    rf"{_BEGIN}(\d{{1,2}})\s+(?:tháng|thg)\s+"
    rf"(?:(\d{{1,2}})(?:\s*,|\s+năm)?|({'|'.join(reversed(_MONTHS_OF_VIETNAM))})(?:\s*,|\s+năm))"
    rf"\s+{_YEAR}{_END}",
    re.I,
)

_UNREAD = re.compile(r"\b\d{1,2}\b\D{2,25}\d{4}(?!\d)|(?<!\d)\d{4}\D{2,25}\b\d{1,2}\b")
_EITHER_WAY = re.compile(r"\d{1,2}([./-])\d{1,2}\1\d{4}")

_Parts = tuple[str | int, str | int, str | int]


def written_dates(text: str, language: str = "") -> Iterator[date]:
    """The dates in a short text, at most one for each format.

    language: the value of ``<html lang>``; empty if unknown.
    """
    is_thai = primary(language) == "th" or _THAI.search(text) is not None
    is_persian = primary(language) == "fa"
    for parts in _parts(text, language):
        year, month, day = map(int, parts)
        try:
            if is_persian and year in _PERSIAN_YEARS:
                yield from_persian(year, month, day)
            else:
                is_buddhist = is_thai and year in _BUDDHIST_YEARS
                yield date(year - _BUDDHIST_AHEAD * is_buddhist, month, day)
        except ValueError:
            continue


def may_be_unread(text: str, language: str) -> bool:
    """Whether a text with a year looks like a date that is ambiguous or not understood."""
    if _EITHER_WAY.search(text):
        return True
    return primary(language) not in {"", *READ_IN} and _UNREAD.search(text) is not None


def _parts(text: str, language: str) -> Iterator[_Parts]:
    """Year, month and day of everything that looks like a date, valid or not."""
    if not has_other_calendar(language):
        yield from _year_first(text)
        yield from _day_or_month_first(text, writes_day_first(language))
    yield from _with_name_of_month(text, primary(language))


def _year_first(text: str) -> Iterator[_Parts]:
    if (found := _YEAR_FIRST.search(text)) and _is_whole(found):
        yield found[1], found[3], found[4]
    for pattern in (_DOTTED, _EAST_ASIAN):
        if (found := pattern.search(text)) and _is_whole(found):
            yield found[1], found[2], found[3]
    if (found := _OF_ERA.search(text)) and _is_whole(found):
        year = 1 if found[2] == _FIRST_YEAR else int(found[2])
        yield _YEAR_BEFORE[found[1]] + year, found[3], found[4]


def _is_whole(found: re.Match[str]) -> bool:
    return _GOES_ON.match(found.string, found.end()) is None


def _with_name_of_month(text: str, language: str) -> Iterator[_Parts]:
    if found := _DAY_MONTH.search(text):
        # Croatian and Czech put a full stop after the day, Polish none.
        is_polish = not language and text[found.end(1)] != "."
        if month := month_number(found[2], "pl" if is_polish else language):
            yield found[3], month, found[1]
    found = _MONTH_DAY.search(text)
    if found and (month := month_number(found[1], language)) and not _ends_period(found):
        yield found[3], month, found[2]
    if (found := _YEAR_MONTH_DAY.search(text)) and (month := month_number(found[2], language)):
        yield found[1], month, found[3]
    if (found := _YEAR_DAY_MONTH.search(text)) and (month := month_number(found[3], language)):
        yield found[1], month, found[2]
    if found := _VIETNAMESE.search(text):
        name = found[3]
        yield found[4], found[2] or _MONTHS_OF_VIETNAM.index(name.casefold()) + 1, found[1]


def _ends_period(found: re.Match[str]) -> bool:
    return _PERIOD_BEGAN.search(found.string[: found.start()]) is not None


def _day_or_month_first(text: str, day_first: bool) -> Iterator[_Parts]:
    if found := _NUMBERS.search(text):
        first, mark, second, year = found.groups()
        if day_first or mark[0] == "." or int(first) > 12 or first == second:
            yield year, second, first
        elif int(second) > 12:
            yield year, first, second
        elif all(map(int, (first, second, year))) and (
            day := _WEEKDAY.search(text, 0, found.start())
        ):
            # "Tue, 03/04/2014", as in Drupal, is in only one of the two months.
            weekday = _WEEKDAYS.index(day[1].lower())
            for one, other in ((first, second), (second, first)):
                if date(int(year), int(one), int(other)).weekday() == weekday:
                    yield year, one, other
    elif day_first and (found := _SHORT_YEAR.search(text)):
        yield f"20{found[3]}", found[2], found[1]

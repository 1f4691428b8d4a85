"""Converts years of the Japanese, Taiwanese and Thai calendars."""

from __future__ import annotations

import re
from typing import Final

_YEAR_BEFORE: Final = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}
ERA: Final = "|".join(_YEAR_BEFORE)
_FIRST_YEAR = "元"

_THAI = re.compile(r"[\u0e00-\u0e7f]")
# Too far in the future to be Gregorian years.
_THAI_YEARS = range(2400, 2700)
_THAI_AHEAD = 543


def year_of_era(era: str, year: str) -> int:
    """The Gregorian year.

    >>> year_of_era("令和", "元"), year_of_era("平成", "31"), year_of_era("民國", "113")
    (2019, 2019, 2024)
    """
    return _YEAR_BEFORE[era] + (1 if year == _FIRST_YEAR else int(year))


def is_thai(text: str, language: str) -> bool:
    return language == "th" or _THAI.search(text) is not None


def year_in_thailand(year: int) -> int:
    """The Gregorian year of a Thai date; Thai pages use both Buddhist and Gregorian years.

    >>> year_in_thailand(2567), year_in_thailand(2024)
    (2024, 2024)
    """
    return year - _THAI_AHEAD if year in _THAI_YEARS else year

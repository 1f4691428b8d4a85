"""What a page's language, the value of ``<html lang>``, says about its dates."""

from __future__ import annotations

import re
from typing import Final

# In these languages 3/4/2024 is the third of April (CLDR); in others it is ambiguous.
_DAY_FIRST: Final = frozenset(
    "ar az be bg bn bs ca cs cy da de el es et fi fo fr fy ga gd gl gu he hi hr hy id is it ka kk "
    "km kn ky lb lo lv mk ml mr ms mt my nb nl nn no pa pl pt ro ru sk sl sq sr sv ta te tg th tk "
    "tr uk ur uz vi".split()
)
_OF_REGIONS: Final = re.compile(r"en-(?:gb|au|nz|ie|in|za)\b")
_OTHER_REGIONS: Final = re.compile(r"es-(?:us|pr|pa)\b")

# The Ethiopian calendar is seven or eight years behind, and its dates look like Gregorian ones.
_OF_OTHER_CALENDARS: Final = frozenset({"am", "ti"})


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


def _tag(language: str) -> str:
    return language.strip().lower().replace("_", "-")

"""What the language of a page, as ``<html lang>`` names it, says of its dates."""

from __future__ import annotations

import re
from typing import Final

# Those that write 3/4/2024 for the third of April, by CLDR; in others it may be either.
_DAY_FIRST: Final = frozenset(
    "ar az be bg bn bs ca cs cy da de el es et fi fo fr fy ga gd gl gu he hi hr hy id is it ka kk "
    "km kn ky lb lo lv mk ml mr ms mt my nb nl nn no pa pl pt ro ru sk sl sq sr sv ta te tg th tk "
    "tr uk ur uz vi".split()
)
_OF_REGIONS: Final = re.compile(r"en-(?:gb|au|nz|ie|in|za)\b")
_OTHER_REGIONS: Final = re.compile(r"es-(?:us|pr|pa)\b")

# The Ethiopian calendar is seven or eight years behind, with nothing to show it.
_OF_OTHER_CALENDARS: Final = frozenset({"am", "ti"})


def primary(language: str) -> str:
    """The language without script and region.

    >>> primary("zh_TW"), primary("EN"), primary("")
    ('zh', 'en', '')
    """
    return _tag(language).partition("-")[0]


def writes_day_first(language: str) -> bool:
    """Whether 3/4/2024 is in April there, without a doubt.

    >>> [writes_day_first(tag) for tag in ("fr", "en-GB", "en", "es_US", "ja", "")]
    [True, True, False, False, False, False]
    """
    tag = _tag(language)
    if _OF_REGIONS.match(tag):
        return True
    return primary(tag) in _DAY_FIRST and not _OTHER_REGIONS.match(tag)


def has_other_calendar(language: str) -> bool:
    """Whether a date in numbers may be of a calendar that cannot be told from the Gregorian."""
    return primary(language) in _OF_OTHER_CALENDARS


def _tag(language: str) -> str:
    return language.strip().lower().replace("_", "-")

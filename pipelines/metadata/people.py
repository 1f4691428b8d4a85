"""Separates the names in lists of people, such as "Jane Doe, Li Na and Ana Ruiz"."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

_DATA: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
_AND = re.compile(rf",?\s+(?:{'|'.join(_DATA['and'].split())})\s+")
_PARTICLES: Final = frozenset(_DATA["particles"].split())
_OFFICE = re.compile(rf"\b(?:{'|'.join(_DATA['offices'].split())})s?$", re.I)
_CHINESE = re.compile(r"[\u4e00-\u9fff]{2,4}(?:、[\u4e00-\u9fff]{2,4})+")
# Two names with a comma between them are more often one and an office or a newspaper.
_LEAST_WITH_COMMAS = 4
_WORDS = range(2, 6)


def people(text: str) -> list[str]:
    """The names in a list, each of several words or in Chinese; the text alone if it is no list.

    >>> people("Jane Doe, Li Na and Ana Ruiz"), people("Jane Doe and Sons")
    (['Jane Doe', 'Li Na', 'Ana Ruiz'], ['Jane Doe and Sons'])
    >>> people("Jane Doe, Daily Mirror"), people("张三、李四")
    (['Jane Doe, Daily Mirror'], ['张三', '李四'])
    """
    if _CHINESE.fullmatch(text):
        return text.split("、")
    first, *others = _AND.split(text)
    names = [*first.split(", "), *others]
    is_list = bool(others) or len(names) >= _LEAST_WITH_COMMAS
    return names if is_list and all(map(is_person, names)) else [text]


def is_person(name: str) -> bool:
    """Whether these are two to five words of which all are capitalised, and no office."""
    words = name.split()
    are_names = all(word[0].isupper() or word in _PARTICLES for word in words)
    return len(words) in _WORDS and are_names and "," not in name and not _OFFICE.search(name)

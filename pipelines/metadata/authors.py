"""Names of authors, out of what pages write where they should be."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pipelines.metadata.clean import clean

_LONGEST_NAME = 100
_LONGEST = 300
_MOST_WORDS = 8

_PREFIX = re.compile(
    r"^(?:(?:written|posted|published|updated|story|words|reviewed)\s+)?by[:\s]+|^author[:\s]+",
    re.I,
)
_AFTER = re.compile(
    r"\s*(?:[|•·–—]|\s-\s|\bon\s|\d|,?\s(?:updated|published|posted)\b).*$", re.I | re.S
)
_NO_NAME = re.compile(
    r"https?:|www\.|@|^(?:admin(?:istrator)?|author|editor|guest|staff|user|unknown|anonymous|none|"
    r"null|undefined|share|follow|about|view|more|by)\b",
    re.I,
)


def authors(values: Iterable[str]) -> str | None:
    """The names that are left after cleaning, each once, joined by semicolons.

    >>> authors(["By Jane Doe", "https://example.com/jane", "Jane Doe", "Li Na"])
    'Jane Doe; Li Na'
    """
    names = dict.fromkeys(name for value in values if (name := _name(value)) is not None)
    joined = ""
    for name in names:
        longer = f"{joined}; {name}" if joined else name
        if len(longer) > _LONGEST:
            break
        joined = longer
    return joined or None


def byline(text: str) -> str | None:
    """The name in a byline such as "By Jane Doe | 5 May 2024"."""
    cleaned = clean(text, _LONGEST)
    if cleaned is None:
        return None
    return _name(_AFTER.sub("", _PREFIX.sub("", cleaned)))


def _name(value: str) -> str | None:
    name = clean(value, _LONGEST_NAME)
    if name is None:
        return None
    name = _PREFIX.sub("", name).strip(" ,;:|-–—")
    if len(name) < 2 or name.endswith("…") or len(name.split()) > _MOST_WORDS:
        return None
    return None if _NO_NAME.search(name) else name

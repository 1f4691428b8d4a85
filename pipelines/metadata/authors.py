"""Names of authors, out of what pages write where they should be."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pipelines.metadata.clean import clean
from pipelines.metadata.months import month_number

_LONGEST_NAME = 100
_LONGEST = 300
_MOST_WORDS = 8

# What says in other languages that a name follows.
_SAYS_AUTHOR = (
    "作者|撰文|文|记者|記者|编辑|編輯|글|기자|автор|autor(?:in|a|es)?|auteur|autore|författare|"
    "kirjoittaja|szerző|yazar|tác giả|نویسنده|بقلم|الكاتب|ผู้เขียน|लेखक"
)
_PREFIX = re.compile(
    r"^(?:(?:written|posted(?:\s+in\s.{1,40}?)?|post|article|authored|published|updated|story|words|"
    rf"reviewed)\s+)?by[:\s]+|^author[:\s]+|^(?:{_SAYS_AUTHOR})\s*[:：／╱]\s*|^(?:记者|記者|por|par)\s+",
    re.I,
)
# The reporter in the dateline of a Chinese newspaper, between its name and a place.
_REPORTER = re.compile(r"[【(（].{0,12}?[记記]者([\u4e00-\u9fff]{2,4})[／╱/].{0,12}[】)）]")
_AFTER = re.compile(
    r"\s*(?:[|•–—»]|\s·|·\s|\s-\s|(?-i:\bon\s)|\d|"
    r"(?:^|,?\s)(?:(?:last|originally)\s+)?(?:updated|published|posted)\b).*$",
    re.I | re.S,
)
_DATE_WORDS = re.compile(r"[\s,/]*\b([^\W\d_]{3,12})[\s\W_]*$")
_WEEKDAY = re.compile(r"(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?", re.I)
_NO_NAME = re.compile(
    r"https?:|www\.|@|[*$]|^[\d\W_]+$|\b(?:says|said|wrote)\W*$|"
    r"^(?:admin(?:istrator)?|author|editor|guest|staff|user|unknown|anonymous|none|"
    r"null|undefined|share|follow|about|view|more|by)\b",
    re.I,
)
# What stands by a field, a button or a name, and is none.
_LABEL = re.compile(
    r"(?:(?:your |first |last )?name|e-?mail|(?:from )?the author|topic author|home|search|reply|"
    r"sign in|log ?in|register|comments?|last|originally|"
    r"(?:written|posted|published|reviewed|article|story) by)(?: \(.*)?",
    re.I,
)
# A key of a translation or a template that was never filled in.
_KEY = re.compile(r"[a-z]{2,}(?:\.[a-z]{2,}){2,}")


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
    rest = _PREFIX.sub("", cleaned)
    after = _AFTER.search(rest)
    if after is None:
        return _name(rest)
    name = rest[: after.start()]
    return _name(_without_date(name) if after[0].strip()[0].isdigit() else name)


def _without_date(text: str) -> str:
    """The text without the names of months and days of the week at its end."""
    while (found := _DATE_WORDS.search(text)) and _is_of_date(found[1]):
        text = text[: found.start()]
    return text


def _is_of_date(word: str) -> bool:
    return month_number(word) is not None or _WEEKDAY.fullmatch(word) is not None


def _name(value: str) -> str | None:
    name = clean(value, _LONGEST_NAME)
    if name is None:
        return None
    reporter = _REPORTER.fullmatch(name)
    name = reporter[1] if reporter else _PREFIX.sub("", name).strip(" ,;:：|-–—")
    if len(name) < 2 or name.endswith("…") or len(name.split()) > _MOST_WORDS:
        return None
    is_none = _NO_NAME.search(name) or _LABEL.fullmatch(name) or _KEY.fullmatch(name)
    return None if is_none else name

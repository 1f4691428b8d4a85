"""Extracts author names from metadata fields and bylines."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

from pipelines.metadata.clean import clean
from pipelines.metadata.dates.languages import month_number
from pipelines.metadata.dates.publication import parsed
from pipelines.metadata.declarations import LINE_SEPARATOR
from pipelines.metadata.people import people

_DATA: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("bylines.toml").read_text(encoding="utf-8")
)
_LONGEST_NAME = 100
_LONGEST = 300
_LONGEST_DATE = 30
_MOST_WORDS = 8
# A name that contains more names than itself and one other is a list of them.
_MOST_PARTS = 2

_BY = "|".join(_DATA["by"])
_LABELS = "|".join(_DATA["labels"])
_PREFIX = re.compile(
    rf"^(?:{_BY}|{_DATA['roles']})(?:\s*[:：]\s*|\s+)|"
    rf"^(?:{_LABELS}|{_DATA['editors']})\s*[:：／╱]\s*",
    re.I,
)
_BEFORE_NAME = re.compile(rf"(?:{_BY})(?:\s*[:：]|\s)", re.I)
_LABELLED = re.compile(
    rf"(?<!\S)(?:{_DATA['roles']}|{_LABELS})\s*[:：]\s*(?P<names>.*?)(?=\s\w+\s*[:：]|$)", re.I
)
# "By" in German, Italian, Dutch and Scandinavian languages, before a name of several words; before
# a single one it belongs to the name.
_FROM = re.compile(r"^(?:[Vv]on|[Dd]i|[Dd]oor|[Aa]v|[Aa]f)\s+(?=(\w)[\w.'’-]*\s+(\w))")
# "Reporter" in Korean, Japanese and Chinese, after a name and before an address, but not after the
# words for a newspaper.
_REPORTS = re.compile(r"(?<![报報社本])\s*(?:기자|記者|记者)(?:\s+\S+@\S+)?$")
# Blogger's feeds have the name after a common address.
_ADDRESSED = re.compile(r"\S+@\S+\s+\((.+)\)")
# What stands between a name and a date: "le 4 mars", "am 3. Mai".
_BEFORE_DATE = re.compile(r",?\s+(?:le|am|den|il|el|op)\s*$", re.I)
# The reporter in the dateline of a Chinese newspaper, between its name and a place.
_REPORTER = re.compile(r"[【(（].{0,12}?[记記]者([\u4e00-\u9fff]{2,4})[／╱/].{0,12}[】)）]")
_AFTER = re.compile(
    rf"\s*(?:[|•–—»]|\s·|·\s|\s-\s|\s(?:{_DATA['pictures']})\s*[:：]|(?-i:\bon\s)|\b\d|"
    r"(?:^|,?\s)(?:(?:last|originally)\s+)?(?:updated|published|posted)\b).*$",
    re.I | re.S,
)
_DATE_WORDS = re.compile(r"[\s,/]*\b([^\W\d_]{3,12})[\s\W_]*$")
# A number after a name starts a date, or gives the age or reading time of the text.
_DATE_IN_NUMBERS = re.compile(r"\d{1,4}[./:-]\d")
_AGE = re.compile(
    r"(?:\d+\s*(?:[hmd]|hrs?|hours?|min(?:ute)?s?|days?|weeks?|months?|years?|comments?)\b\s*){1,2}",
    re.I,
)
# A list of names continues on the next line.
_GOES_ON = re.compile(r"(?:,|&|\b(?:and|und|et|y|e|i))$", re.I)
_WENT_ON = re.compile(r"(?:,|&|(?:and|und|et|y|e|i)\b)", re.I)
_WEEKDAY = re.compile(r"(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?", re.I)
_NO_NAME = re.compile(
    r"https?:|www\.|@|[*$]|^[\d\W_]+$|\b(?:says|said|wrote)\W*$|^(?:read more|enter your)\b|"
    r"^(?:(?:q_)?admin(?:istrator|n)?|super user|author|editor|guest|staff|user|unknown|anonymous|"
    r"none|发表于|null|undefined|share|follow|about|view|more|by)\b|"
    # Beginnings of sentences, slogans, and the makers of a forum's software.
    r"\b(?:is|are|was|were|in|at|of|to|the)$|[?？！。]$|[\u4e00-\u9fff]!$|^discuz!",
    re.I,
)
# Labels of form fields, buttons and bylines, which are not names.
_LABEL = re.compile(
    r"(?:(?:your |first |last )?name|e-?mail|(?:from )?the author|topic author|home|search|reply|"
    r"sign in|log ?in|register|comments?|last|originally|google(?: ?\+| plus| profile)?|"
    r"(?:written|posted|published|reviewed|article|story) by)(?: \(.*)?",
    re.I,
)
# An untranslated message key or an unfilled template placeholder.
_KEY = re.compile(r"[a-z]{2,}(?:\.[a-z]{2,}){2,}")


def authors(values: Iterable[str]) -> str | None:
    """The distinct names after cleaning, whatever their case, joined by semicolons.

    A value may list several; one that only lists others is left out.

    >>> authors(["By Jane Doe", "https://example.com/jane", "JANE DOE and Li Na", "Ana Ruiz;"])
    'Jane Doe; Li Na; Ana Ruiz'
    """
    names: dict[str, str] = {}
    for value in values:
        for name in _names(value):
            names.setdefault(name.casefold(), name)
    joined = ""
    for name in names.values():
        if sum(other in name for other in names.values()) > _MOST_PARTS:
            continue
        longer = f"{joined}; {name}" if joined else name
        if len(longer) > _LONGEST:
            break
        joined = longer
    return joined or None


def _names(value: str) -> Iterator[str]:
    for part in (clean(value, _LONGEST) or "").split(";"):
        for person in people(_PREFIX.sub("", part.strip())):
            if (name := _name(person)) is not None:
                yield name


def is_before_name(label: str) -> bool:
    """Whether a label says that an author's name follows, as "Written by" does."""
    return _BEFORE_NAME.fullmatch(f"{label.strip()} ") is not None


def byline_in(line: str) -> str | None:
    """The line if it begins with words before a name, such as "by"; or what follows a label with a
    colon, such as "Author:", up to the next label.

    >>> byline_in("By Jane Doe"), byline_in("12:30 Author: Jane Doe Photo: Li Na")
    ('By Jane Doe', 'Jane Doe')
    """
    if _BEFORE_NAME.match(f"{line} "):
        return line
    labelled = _LABELLED.search(line)
    return labelled["names"] if labelled else None


def byline(text: str) -> str | None:
    """The names in a byline such as "By Jane Doe | 5 May 2024": those of the first line with one.

    Later lines hold the author's position or links to more of their work. If the whole text is too
    long for a byline, its lines are not searched either.
    """
    cleaned = clean(text, _LONGEST)
    if cleaned is None or _name_in(cleaned) is None:
        return None
    return authors(islice(filter(None, map(_name_in, _lines(text))), 1))


def _name_in(line: str) -> str | None:
    rest = _PREFIX.sub("", _without_from(line))
    after = _AFTER.search(rest)
    return _name(rest if after is None else _before(rest, after.start()))


def _without_from(line: str) -> str:
    found = _FROM.match(line)
    return line[found.end() :] if found and found[1].isupper() and found[2].isupper() else line


def _lines(text: str) -> Iterator[str]:
    """The lines of a byline; a list of names that spans several lines counts as one."""
    lines = [line for part in text.split(LINE_SEPARATOR) if (line := clean(part, _LONGEST))]
    while lines:
        line = lines.pop(0)
        while lines and (_GOES_ON.search(line) or _WENT_ON.match(lines[0])):
            line = f"{line} {lines.pop(0)}"
        yield line


def _before(text: str, end: int) -> str:
    """The name before the match; empty if that is a number which belongs to no date or age."""
    name, after = text[:end], text[end:].strip()
    if not after[0].isdigit():
        return name
    own = _without_date(name)
    is_date = own != name or _DATE_IN_NUMBERS.match(after) or _AGE.match(after)
    return _BEFORE_DATE.sub("", own) if is_date or parsed(after[:_LONGEST_DATE]) else ""


def _without_date(text: str) -> str:
    """The text without trailing month names and weekdays."""
    while (found := _DATE_WORDS.search(text)) and _is_of_date(found[1]):
        text = text[: found.start()]
    return text


def _is_of_date(word: str) -> bool:
    return month_number(word) is not None or _WEEKDAY.fullmatch(word) is not None


def _name(value: str) -> str | None:
    name = clean(value, _LONGEST_NAME)
    if name is None:
        return None
    known = _REPORTER.fullmatch(name) or _ADDRESSED.fullmatch(name)
    name = known[1] if known else _REPORTS.sub("", _PREFIX.sub("", name)).strip(" ,;:：|-–—")
    if len(name) < 2 or name.endswith("…") or len(name.split()) > _MOST_WORDS:
        return None
    is_none = _NO_NAME.search(name) or _LABEL.fullmatch(name) or _KEY.fullmatch(name)
    return None if is_none else name

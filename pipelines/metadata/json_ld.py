"""Reads JSON-LD, and ranks its objects by how likely they describe the page itself.

Vocabulary: https://schema.org/ ; syntax: https://www.w3.org/TR/json-ld11/ as far as pages use it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from html import unescape
from json import JSONDecoder
from typing import Any, Final

import orjson

# Properties, in lower case, whose values describe something other than the page, so their titles,
# authors and dates are not the page's; also in microdata.
OF_OTHER_THINGS: Final = frozenset(
    "review reviews comment acceptedanswer suggestedanswer itemlistelement haspart blogpost "
    "mentions citation isrelatedto issimilarto relatedlink".split()
)
# Bounds on the objects and lists in all scripts of a page, and on the scripts.
MAX_NODES = 20_000
MAX_SCRIPTS = 30

_CONTROL = re.compile(r"[\x00-\x1f\ud800-\udfff]")
# White space is read once: scripts may have a megabyte of it.
_WRAPPING = re.compile(
    r"^\s*+(?:<!--|/?/?\*?\s*+<!\[CDATA\[\s*+\*?/?)"
    r"|(?:-->|(?://?\*?|\*|(?<!\s))\s*+\]\]>\s*+\*?/?)\s*+;?\s*+$"
)
# What JavaScript allows, but JSON does not.
_TRAILING_COMMA = re.compile(r",\s*+(?=[}\]])")
_OPENING = re.compile(r"[{\[]")
_DECODER = JSONDecoder(strict=False)
# Types of objects that may describe the page, the most likely first.
_MAIN = (
    re.compile(r"(?:article|blogposting|report|review|scholarly.*|newspaper.*)$"),
    re.compile(r"(?:recipe|howto|qapage|question|discussionforumposting|.*posting|course|event)$"),
    re.compile(
        r"(?:product|productgroup|book|movie|videoobject|softwareapplication|service|dataset|thesis|"
        r"learningresource|creativework|.*episode)$"
    ),
    re.compile(r".*page$"),
)
_MAX_AUTHORS = 10
_MAX_TYPES = 10
_LONGEST_HEADLINE = 300
# What does not distinguish the addresses of a page.
_SAME_PAGE = re.compile(r"^(?:https?:)?//(?:www\.)?|/?(?:[?#].*)?$", re.S)

Object = dict[str, Any]


@dataclass(slots=True)
class LinkedData:
    """The JSON-LD objects of a page.

    main: objects that may describe the page, the most likely first.
    sites: objects of type ``WebSite``. by_id: all objects that have an ``@id``.
    """

    main: list[Object] = field(default_factory=list)
    sites: list[Object] = field(default_factory=list)
    by_id: dict[str, Object] = field(default_factory=dict)

    @property
    def is_about_event(self) -> bool:
        """Whether the most likely of the main objects is an event."""
        return bool(self.main) and any(kind.endswith("event") for kind in _types(self.main[0]))

    def values(self, *names: str) -> Iterator[str]:
        """Strings of these names in the main objects; of nested objects, the value, URL or id."""
        for thing in self.main:
            for name in names:
                value = thing.get(name)
                if isinstance(value, list) and value:
                    value = value[0]
                if isinstance(value, dict):
                    value = value.get("@value") or value.get("url") or value.get("@id")
                if isinstance(value, str):
                    yield value

    def authors(self) -> list[str]:
        """The authors' names of the first main object that has any."""
        for thing in self.main:
            value = thing.get("author") or thing.get("creator")
            people = value if isinstance(value, list) else [value]
            names = [name for one in people[:_MAX_AUTHORS] if (name := self._name(one))]
            if names:
                return names
        return []

    def site_names(self) -> Iterator[str]:
        """Names of the website, then of publishers."""
        for site in self.sites:
            if (name := self._name(site)) is not None:
                yield name
        for thing in self.main:
            if (name := self._name(thing.get("publisher"))) is not None:
                yield name

    def _name(self, value: Any) -> str | None:
        """The name of a person or organisation, given as a string, an object or an ``@id``."""
        if isinstance(value, dict):
            if "name" not in value:
                value = self.by_id.get(str(value.get("@id"))) or {}
            value = value.get("name")
        if isinstance(value, list) and value:
            value = value[0]
        return value if isinstance(value, str) else None


def linked_data(scripts: list[str], url: str = "", shown: Sequence[str] = ()) -> LinkedData:
    """Read the JSON-LD scripts of a page; what is beyond repair is skipped.

    Of objects of equally likely types, those with the page's address, or with a headline that is in
    one of the texts ``shown``, come first.
    """
    found = LinkedData()
    ranked: list[tuple[int, bool, int, Object]] = []
    queue: deque[Any] = deque(_parsed(script) for script in scripts[:MAX_SCRIPTS])
    for number in range(MAX_NODES):
        if not queue:
            break
        value = queue.popleft()
        if isinstance(value, list):
            queue.extend(value[:MAX_NODES])
        elif isinstance(value, dict):
            queue.extend(
                item
                for key, item in value.items()
                if isinstance(item, dict | list) and key.lower() not in OF_OTHER_THINGS
            )
            kinds = _types(value)
            name = value.get("@id")
            if isinstance(name, str) and len(value) > len(found.by_id.get(name, ())):
                found.by_id[name] = value
            if "website" in kinds:
                found.sites.append(value)
            rank = _rank(kinds)
            if rank is not None:
                ranked.append((rank, not _is_of_page(value, url, shown), number, value))
    ranked.sort(key=lambda entry: entry[:3])
    found.main = [value for *_, value in ranked]
    return found


def _parsed(script: str) -> Any:
    with suppress(orjson.JSONDecodeError):
        return orjson.loads(script)
    # Unescaped line breaks in strings are the most common mistake.
    text = _WRAPPING.sub("", _CONTROL.sub(" ", script)).strip().rstrip(";")
    with suppress(orjson.JSONDecodeError):
        return orjson.loads(text)
    return _objects(text)


def _objects(text: str) -> list[Any]:
    """The values in a script with comments, several values, or escapes of HTML or JavaScript."""
    text = text if '"' in text else unescape(text)
    text = _TRAILING_COMMA.sub("", text.replace(r"\'", "'"))
    found: list[Any] = []
    start = _OPENING.search(text)
    while start is not None and len(found) < MAX_SCRIPTS:
        try:
            value, end = _DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            break
        found.append(value)
        start = _OPENING.search(text, end)
    return found


def _types(value: Object) -> list[str]:
    """The types in lower case, without their vocabulary."""
    kinds = value.get("@type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    return [
        re.split("[/:]", kind[-100:])[-1].lower()
        for kind in kinds[:_MAX_TYPES]
        if isinstance(kind, str)
    ]


def _rank(kinds: list[str]) -> int | None:
    for rank, pattern in enumerate(_MAIN):
        if any(map(pattern.search, kinds)):
            return rank
    return None


def _is_of_page(value: Object, url: str, shown: Sequence[str]) -> bool:
    addresses = [value.get(name) for name in ("url", "@id", "mainEntityOfPage")]
    addresses += [one.get("@id") for one in addresses if isinstance(one, dict)]
    page = _SAME_PAGE.sub("", url)
    if any(isinstance(one, str) and _SAME_PAGE.sub("", one) == page for one in addresses):
        return True
    headline = value.get("headline")
    headline = headline[:_LONGEST_HEADLINE].casefold() if isinstance(headline, str) else ""
    return bool(headline) and any(headline in text.casefold() for text in shown)

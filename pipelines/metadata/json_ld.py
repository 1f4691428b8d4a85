"""Reads JSON-LD, and ranks its objects by how likely they describe the page itself.

Vocabulary: https://schema.org/ ; syntax: https://www.w3.org/TR/json-ld11/ as far as pages use it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
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
# Types of objects that may describe the page, the most likely first.
_MAIN = (
    re.compile(r"(?:article|blogposting|report|review|scholarly.*|newspaper.*)$"),
    re.compile(r"(?:recipe|howto|qapage|question|discussionforumposting|.*posting|course|event)$"),
    re.compile(r"(?:product|productgroup|book|movie|videoobject|softwareapplication|service)$"),
    re.compile(r".*page$"),
)
_MAX_AUTHORS = 10

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

    def values(self, *names: str) -> Iterator[str]:
        """Strings under these names in the main objects; for nested objects, their URL or id."""
        for thing in self.main:
            for name in names:
                value = thing.get(name)
                if isinstance(value, list) and value:
                    value = value[0]
                if isinstance(value, dict):
                    value = value.get("url") or value.get("@id")
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


def linked_data(scripts: list[str]) -> LinkedData:
    """Read the JSON-LD scripts of a page; invalid JSON is skipped."""
    found = LinkedData()
    ranked: list[tuple[int, int, Object]] = []
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
            kind = _type(value)
            name = value.get("@id")
            if isinstance(name, str) and len(value) > len(found.by_id.get(name, ())):
                found.by_id[name] = value
            if kind == "website":
                found.sites.append(value)
            rank = _rank(kind)
            if rank is not None:
                ranked.append((rank, number, value))
    ranked.sort(key=lambda entry: entry[:2])
    found.main = [value for _, _, value in ranked]
    return found


def _parsed(script: str) -> Any:
    with suppress(orjson.JSONDecodeError):
        return orjson.loads(script)
    # Unescaped line breaks in strings are the most common mistake.
    text = _WRAPPING.sub("", _CONTROL.sub(" ", script)).strip().rstrip(";")
    with suppress(orjson.JSONDecodeError):
        return orjson.loads(text)
    return None


def _type(value: Object) -> str:
    kind = value.get("@type")
    if isinstance(kind, list) and kind:
        kind = kind[0]
    return kind.rpartition("/")[2].lower()[:100] if isinstance(kind, str) else ""


def _rank(kind: str) -> int | None:
    for rank, pattern in enumerate(_MAIN):
        if pattern.search(kind):
            return rank
    return None

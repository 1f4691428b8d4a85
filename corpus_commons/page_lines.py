"""Data sets: files of a page per line, ``.jsonl`` or ``.jsonl.zst``, with ``id`` and ``html``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import orjson

from corpus_commons.line_files import read_records

Page = TypeVar("Page")

LINES_SUFFIXES: Final = (".jsonl", ".jsonl.zst")
"""How the names of data sets end."""

# How much of a wrong value an error message shows, in bytes.
_SHOWN: Final = 40


def read_page_lines(
    path: Path, page_of: Callable[[dict[str, Any]], Page], *, needed: str = "id and html"
) -> Iterator[Page]:
    """What ``page_of`` makes of the fields of every page.

    needed: the fields that every page must have, for messages.
    Raises ValueError, naming file and line, for a line that is not an object whose ``id``, ``html``
    and, unless it is missing or null, ``url`` are strings, if ``page_of`` does, and for the second
    page with an id.
    """
    ids: set[str] = set()

    def parse(line: bytes) -> Page:
        try:
            fields = _fields(line)
            page = page_of(fields)
        except ValueError as error:
            raise ValueError(f"not a page ({needed} are needed): {error}") from error
        if fields["id"] in ids:
            raise ValueError(f"it is the second page with the id {fields['id']}")
        ids.add(fields["id"])
        return page

    return read_records(path, parse)


def _fields(line: bytes) -> dict[str, Any]:
    fields = orjson.loads(line)
    if not isinstance(fields, dict):
        raise ValueError(f"an object is needed, not {shown(fields)}")
    for key in ("id", "html"):
        string(fields, key)
    string_or_none(fields, "url")
    return fields


def string(fields: Mapping[str, Any], key: str) -> str:
    """The value of a field. Raises ValueError unless it is a string."""
    value = fields.get(key)
    if not isinstance(value, str):
        raise ValueError(f"{key} must be a string, not {shown(value)}")
    return value


def string_or_none(fields: Mapping[str, Any], key: str) -> str | None:
    """The same for a field that may be missing, or null."""
    return None if fields.get(key) is None else string(fields, key)


def shown(value: Any) -> str:
    """The beginning of the value as JSON; it is cut because it may be a whole page."""
    return orjson.dumps(value)[:_SHOWN].decode(errors="ignore")

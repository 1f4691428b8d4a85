"""The structure of a job file: the keys of its tables, and their kinds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from settings.job import Job
from settings.lines import Path
from settings.values import Kind, Table


def key_name(name: str) -> str:
    """A key in TOML syntax.

    >>> key_name("list-view"), key_name("a key")
    ('list-view', '"a key"')
    """
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else f'"{name}"'


def key_text(path: Path) -> str:
    """A path in the form used in messages.

    >>> key_text(("seeds", "urls", 0)), key_text(("a key", "b"))
    ('seeds.urls[0]', '"a key".b')
    """
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += ("." if text else "") + key_name(part)
    return text


def names(table: type[Table]) -> dict[str, FieldInfo]:
    """The fields of a table, by their names in the file."""
    return {field.alias or name: field for name, field in table.model_fields.items()}


def table_type(field: FieldInfo) -> type[Table] | None:
    """The type of a table; None for a key with a plain value."""
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, Table) else None


@cache
def tables(root: type[Table] = Job) -> dict[Path, type[Table]]:
    """Every table by its path, in the order of the model; the top level has the empty path.

    root: the model of the file.
    """
    return dict(_tables((), root))


def _tables(path: Path, table: type[Table]) -> Iterator[tuple[Path, type[Table]]]:
    yield path, table
    for name, field in names(table).items():
        if inner := table_type(field):
            yield from _tables((*path, name), inner)


def field_at(path: Path, root: type[Table] = Job) -> FieldInfo:
    """The field of a known key, or of an element of its list."""
    *table, name = (part for part in path if isinstance(part, str))
    return names(tables(root)[tuple(table)])[name]


def kind_of(field: FieldInfo) -> Kind | None:
    """The kind in a field's annotations; for a list, that of its elements."""
    return next((part for part in parts(field) if isinstance(part, Kind)), None)


def choices_of(field: FieldInfo) -> tuple[str, ...]:
    """The fixed set of values of a key, or of a list's elements; empty if there is none."""
    return next((get_args(part) for part in parts(field) if get_origin(part) is Literal), ())


def is_list(field: FieldInfo) -> bool:
    return any(get_origin(part) is tuple for part in parts(field))


def parts(of: Any) -> Iterator[Any]:
    """The types and annotations that a field or an annotation consists of, recursively."""
    yield of
    inner = (*of.metadata, of.annotation) if isinstance(of, FieldInfo) else get_args(of)
    for part in inner:
        yield from parts(part)

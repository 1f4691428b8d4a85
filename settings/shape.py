"""The structure of a job file: the keys of its tables, and their kinds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from settings.job import Job
from settings.lines import Path
from settings.values import Kind, Table


@dataclass(frozen=True)
class Place:
    """What is allowed at a path.

    known: the keys of the table at the path, or of the table with the unknown key.
    kind: of the value, or of a list's elements; may be None. choices: if there is a fixed set.
    """

    known: tuple[str, ...] = ()
    kind: Kind | None = None
    choices: tuple[str, ...] = ()


def key_name(name: str) -> str:
    """A key in TOML syntax.

    >>> key_name("list-view"), key_name("a key")
    ('list-view', '"a key"')
    """
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else f'"{name}"'


def names(table: type[Table]) -> dict[str, FieldInfo]:
    """The fields of a table, by their names in the file."""
    return {field.alias or name: field for name, field in table.model_fields.items()}


def table_type(field: FieldInfo) -> type[Table] | None:
    """The type of a table; None for a key with a plain value."""
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, Table) else None


@cache
def tables() -> dict[tuple[str, ...], type[Table]]:
    """Every table by its path, in the order of the model; the top level has the empty path."""
    found: dict[tuple[str, ...], type[Table]] = {}
    waiting: list[tuple[tuple[str, ...], type[Table]]] = [((), Job)]
    while waiting:
        path, table = waiting.pop(0)
        found[path] = table
        inner = {name: table_type(field) for name, field in names(table).items()}
        waiting[:0] = [((*path, name), kind) for name, kind in inner.items() if kind]
    return found


def tables_with(name: str) -> list[tuple[str, ...]]:
    """The tables that have a key or table of this name."""
    return [path for path, table in tables().items() if name in names(table)]


def place(path: Path) -> Place:
    """What is allowed at the path of an error."""
    table: type[Table] = Job
    for part in path:
        field = names(table).get(part) if isinstance(part, str) else None
        if field is None:
            return Place(known=tuple(names(table)))
        inner = table_type(field)
        if inner is None:
            return Place(kind=kind_of(field), choices=choices_of(field))
        table = inner
    return Place(known=tuple(names(table)))


def kind_of(field: FieldInfo) -> Kind | None:
    """The kind in a field's annotations; for a list, that of its elements."""
    return next((mark for mark in marks(field) if isinstance(mark, Kind)), None)


def choices_of(field: FieldInfo) -> tuple[str, ...]:
    """The fixed set of values of a key, or of a list's elements; empty if there is none."""
    for kind in _types(field.annotation):
        if get_origin(kind) is Literal:
            return get_args(kind)
    return ()


def is_list(field: FieldInfo) -> bool:
    return any(get_origin(kind) is tuple for kind in _types(field.annotation))


def _types(annotation: Any) -> Iterator[Any]:
    """A type and its type arguments, recursively."""
    waiting = [annotation]
    while waiting:
        kind = waiting.pop(0)
        yield kind
        if get_origin(kind) in (tuple, Union, UnionType) or hasattr(kind, "__metadata__"):
            waiting += [inner for inner in get_args(kind) if inner is not Ellipsis]


def marks(field: FieldInfo) -> Iterator[Any]:
    """The annotations of a field's type and of its type arguments."""
    yield from field.metadata
    for kind in _types(field.annotation):
        for mark in getattr(kind, "__metadata__", ()):
            yield from mark.metadata if isinstance(mark, FieldInfo) else (mark,)

"""Generates the reference in ``docs/reference/job-file.md`` from the model."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Final

from annotated_types import Ge, Gt, Le, Lt
from pydantic.fields import FieldInfo

from settings.lines import Path
from settings.shape import (
    choices_of,
    is_list,
    key_name,
    key_text,
    kind_of,
    names,
    parts,
    table_type,
    tables,
)
from settings.values import UNLIMITED, Table

BEGIN: Final = "<!-- begin reference: written by `python -m settings reference` -->\n"
END: Final = "<!-- end reference -->\n"

_BOUNDS: Final = ((Ge, "ge", "≥"), (Gt, "gt", ">"), (Le, "le", "≤"), (Lt, "lt", "<"))
_PLAIN: Final[dict[object, str]] = {
    bool: "true or false",
    int: "whole number",
    float: "number",
    str: "text",
}
_LONG_LIST: Final = 8


def put_reference(page: str) -> str:
    """The page with the part between BEGIN and END replaced. Raises ValueError without them."""
    return put_between(page, BEGIN, reference())


def put_between(page: str, begin: str, text: str) -> str:
    """The page with the part between ``begin`` and END replaced. Raises ValueError without them."""
    before, found, rest = page.partition(begin)
    _, ended, after = rest.partition(END)
    if not found or not ended:
        raise ValueError(f"the page must have the lines {begin.strip()!r} and {END.strip()!r}")
    return f"{before}{begin}{text}{END}{after}"


def reference() -> str:
    """Every key with its type, default and meaning, in Markdown."""
    return "\n".join(line for path, table in tables().items() for line in _section(path, table))


def _section(path: Path, table: type[Table]) -> Iterator[str]:
    if path:
        meaning = " ".join(inspect.cleandoc(table.__doc__ or "").split())
        yield from section(f"`[{key_text(path)}]`", meaning, table)
    else:
        yield from section("Top level", "", table)


def section(heading: str, meaning: str, table: type[Table]) -> Iterator[str]:
    """The lines of one table's keys, under a heading. meaning: of the table; may be empty."""
    fields = {name: field for name, field in names(table).items() if not table_type(field)}
    yield from ("", f"### {heading}", "")
    if meaning:
        yield from (meaning, "")
    yield "| key | type | default | meaning |"
    yield "| --- | --- | --- | --- |"
    told: dict[str, str] = {}
    for name, field in fields.items():
        meaning = " ".join((field.description or "").split())
        type_ = _type(field)
        first = told.setdefault(type_, name) if len(choices_of(field)) > _LONG_LIST else name
        if first != name:
            type_ = f"as `{key_name(first)}`"
        cells = (f"`{key_name(name)}`", type_, _default(field), meaning)
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
    yield ""


def _type(field: FieldInfo) -> str:
    kind, choices = kind_of(field), choices_of(field)
    if choices:
        name = ", ".join(f'`"{choice}"`' for choice in choices)
    else:
        name = kind.name if kind else next(_PLAIN[part] for part in parts(field) if part in _PLAIN)
    if kind and kind.unlimited:
        name += f' or `"{UNLIMITED}"`'
    shown = kind.shown if kind else str
    limits = ", ".join(
        f"{sign} {shown(getattr(part, bound))}"
        for part in parts(field)
        for type_, bound, sign in _BOUNDS
        if isinstance(part, type_)
    )
    name += f" ({limits})" if limits else ""
    return f"list of: {name}" if is_list(field) else name


def _default(field: FieldInfo) -> str:
    value, kind = field.get_default(), kind_of(field)
    if field.is_required():
        return "required"
    if value is None:
        return f'`"{UNLIMITED}"`' if kind and kind.unlimited else "not set"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, tuple):
        return _list(value)
    if isinstance(value, str):
        return f'`"{value}"`'
    shown = kind.shown(value) if kind else str(value)
    return f"`{shown}`" if shown == str(value) else f'`"{shown}"`'


def _list(values: tuple[object, ...]) -> str:
    if len(values) > _LONG_LIST:
        return f"{len(values)} of them: " + " ".join(map(str, values))
    return "`[" + ", ".join(f'"{value}"' for value in values) + "]`"

"""Tables for people, and JSON instead of them on standard output."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from corpus_commons.terminal.output import standard_output


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """A table of plain text; whole numbers get commas."""
    found = Table(box=None, pad_edge=False)
    for column in columns:
        # Users copy URLs from here: wrap them, never truncate.
        found.add_column(column, overflow="fold")
    for row in rows:
        # Text, so that rich does not read markup in what comes from the web.
        found.add_row(*(Text(f"{cell:,}" if isinstance(cell, int) else str(cell)) for cell in row))
    return found


def count_table(title: str, counts: Mapping[str, int], *, shares_of: str = "") -> Table:
    """Numbers by name. shares_of: what is counted, for a further column with shares of the sum."""
    if shares_of:
        total = sum(counts.values())
        rows = ((name, count, f"{count / total:.1%}") for name, count in counts.items())
        found = table((title, shares_of, "share"), rows)
    else:
        found = table((title, ""), counts.items())
    for column in found.columns[1:]:
        column.justify = "right"
    return found


def apart(parts: Iterable[RenderableType]) -> Group:
    """The parts with an empty line between them."""
    return Group(*[line for part in parts for line in (Text(), part)][1:])


def write_json(data: Mapping[str, Any]) -> None:
    """Print a line of JSON."""
    with standard_output() as out:
        out.buffer.write(orjson.dumps(data, option=orjson.OPT_APPEND_NEWLINE))

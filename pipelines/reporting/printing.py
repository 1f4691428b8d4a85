"""Prints tables and JSON to standard output."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson
from rich.console import RenderableType

from corpus_commons.terminal.console import OutputConsole
from corpus_commons.terminal.output import standard_output

# Wide enough for any row: a URL has at most 4,096 characters, a reason 500.
_WIDEST: Final = 10_000


def show(table: RenderableType) -> None:
    """Print as wide as the terminal; if there is none, print each row as one line."""
    with standard_output() as out:
        console = OutputConsole()
        if console.is_terminal:
            console.print(table)
            return
        wide = OutputConsole(width=_WIDEST, no_color=True)
        with wide.capture() as capture:
            wide.print(table)
        out.writelines(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def write_json(data: Mapping[str, Any]) -> None:
    """Print a line of JSON."""
    with standard_output() as out:
        out.buffer.write(orjson.dumps(data, option=orjson.OPT_APPEND_NEWLINE))

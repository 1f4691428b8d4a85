"""Tables and JSON on standard output, for a person, a pipe or a machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson
from rich.console import RenderableType

from terminal.output import OutputConsole, standard_output

# No table is wider: a URL has at most 4,096 characters, a reason 500.
_WIDEST: Final = 10_000


def show(table: RenderableType) -> None:
    """Print in the width of the terminal; where there is none, a row is a line, however long."""
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

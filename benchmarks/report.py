"""The tables of a benchmark: Markdown on standard output, and JSON for the documentation."""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

from corpus_commons.terminal.output import say

Cell = str | int | float | None


class Report:
    """What a benchmark has found. ``docs/result_tables.py`` reads its JSON.

    benchmark: its name. command: the command line that repeats it.
    """

    def __init__(self, benchmark: str, command: Sequence[str]) -> None:
        self._benchmark = benchmark
        self._command = shlex.join(command)
        self._began = datetime.now(UTC)
        self._tables: dict[str, dict[str, Any]] = {}

    def say(self, text: str = "") -> None:
        """Print a line."""
        say(text)

    def table(self, name: str, columns: Mapping[str, str], rows: Iterable[Sequence[Cell]]) -> None:
        """Print a table, each row as soon as it is there, and an empty line.

        name: in the JSON. columns: by heading, the format specification of its numbers; ">" for
        text that is aligned to the right, and nothing for text aligned to the left. A cell is None
        if it was not measured.

        >>> Report("parsers", ()).table("time", {"name": "", "ms": ".1f"}, [("lexbor", 1.23)])
        | name | ms |
        | --- | ---: |
        | lexbor | 1.2 |
        <BLANKLINE>
        """
        self._line(columns)
        self._line("---:" if format_ else "---" for format_ in columns.values())
        found = []
        for row in rows:
            self._line(map(_text, row, columns.values()))
            found.append(list(row))
        self.say()
        self._tables[name] = {
            "columns": list(columns),
            "formats": list(columns.values()),
            "rows": found,
        }

    def _line(self, cells: Iterable[str]) -> None:
        self.say(f"| {' | '.join(cells)} |")

    def write(self, path: Path) -> None:
        """Write the JSON."""
        content = {
            "benchmark": self._benchmark,
            "commands": [self._command],
            "recorded": self._began.date().isoformat(),
            "machine": machine(),
            "tables": self._tables,
        }
        path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def mean(values: Sequence[float]) -> float | None:
    """The mean as a cell: None if there are no values."""
    return fmean(values) if values else None


def machine() -> dict[str, str | int | float]:
    """The machine that this runs on."""
    cpu_info = Path("/proc/cpuinfo")
    model = re.search(r"model name\s*: (.+)", cpu_info.read_text() if cpu_info.exists() else "")
    return {
        "processor": model[1] if model else platform.processor(),
        "cores": os.cpu_count() or 1,
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def _text(cell: Cell, format_: str) -> str:
    if cell is None:
        return "–"
    return cell if isinstance(cell, str) else format(cell, format_)

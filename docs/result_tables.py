"""Writes the tables of results into README.md and the pages of docs/, from docs/results/data/.

    python docs/result_tables.py            # after a change of the data
    python docs/result_tables.py --check    # exit code 1 if a page is not up to date

A page has a table between two marks:

    <!-- begin table: extraction-speed/methods -->
    <!-- end table -->

which names a file of ``docs/results/data/`` and one of its tables. These shapes are read:

- ``commands``, the day when their output was ``recorded``, and ``tables`` of ``columns`` and
  ``rows``, as ``python -m benchmarks NAME --json`` writes it; a table may be a ``view``, which puts
  columns of other tables beside each other;
- ``genre-crawler evaluate extraction --json``; its tables are ``all`` and what was asked
  for with ``--by``
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
DATA: Final = ROOT / "docs" / "results" / "data"

_REGION: Final = re.compile(
    r"(<!-- begin table: (?P<file>[\w-]+)/(?P<name>[\w-]+) -->\n).*?(<!-- end table -->)", re.DOTALL
)

Cell = str | int | float | None


@dataclass(frozen=True)
class Table:
    """A table of results.

    formats: of each column, a format specification for its numbers, ``>`` for text that is aligned
        to the right, or nothing.
    best: columns whose greatest value is set in bold.
    missing: what stands for a value that was not measured.
    """

    columns: list[str]
    formats: list[str]
    rows: list[list[Cell]]
    best: list[str] = field(default_factory=list)
    missing: str = "–"

    def column(self, name: str) -> dict[Cell, tuple[Cell, str]]:
        """Values and format of a column, by the first cell of the row."""
        place = self.columns.index(name)
        return {row[0]: (row[place], self.formats[place]) for row in self.rows}

    def markdown(self) -> str:
        """The table as GitHub and the site read it."""
        rule = ["---:" if format_ else "---" for format_ in self.formats]
        lines = [self.columns, rule, *map(self._texts, self.rows)]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)

    def _texts(self, row: list[Cell]) -> list[str]:
        return [
            self._text(cell, format_, name)
            for cell, format_, name in zip(row, self.formats, self.columns, strict=True)
        ]

    def _text(self, cell: Cell, format_: str, column: str) -> str:
        if cell is None:
            return self.missing
        if isinstance(cell, str):
            return cell
        text = format(cell, format_)
        return f"**{text}**" if column in self.best and cell == self._greatest(column) else text

    def _greatest(self, column: str) -> float:
        values = [row[self.columns.index(column)] for row in self.rows]
        return max(value for value in values if isinstance(value, int | float))


def table(file: str, name: str) -> Table:
    """A table by its file and name."""
    content = json.loads((DATA / f"{file}.json").read_text(encoding="utf-8"))
    if "cells" in content:
        return _evaluated(content, name)
    described = content["tables"][name]
    return _view(described) if "view" in described else Table(**described)


def _evaluated(content: dict[str, Any], dimension: str) -> Table:
    """F1 by group, or all scores of all pages, of ``evaluate extraction --json``."""
    metric, groups = content["metrics"][0], content["cells"][dimension]
    if dimension != "all":
        heads = [
            f"{group} ({max(cell['pages'] for cell in cells.values())})"
            for group, cells in groups.items()
        ]
        rows: list[list[Cell]] = [
            [method, *(_score(cells.get(method), metric) for cells in groups.values())]
            for method in content["methods"]
        ]
        return Table(["method", *heads], ["", *[".3f"] * len(heads)], rows, best=heads)
    rows = []
    for method, cell in groups["all"].items():
        score = cell["scores"][metric]
        low, high = score["f1_interval"]
        scores = (score["f1"], f"{low:.3f}–{high:.3f}", score["precision"], score["recall"])
        rows.append([method, cell["pages"], *scores, cell["timeouts"], cell["failures"]])
    columns = "method,pages,F1,95 % interval,precision,recall,timeouts,failures".split(",")
    return Table(columns, ["", "d", ".3f", ">", ".3f", ".3f", "d", "d"], rows, best=["F1"])


def _score(cell: dict[str, Any] | None, metric: str) -> Cell:
    return None if cell is None else float(cell["scores"][metric]["f1"])


def _view(described: dict[str, Any]) -> Table:
    """Columns of other tables. ``view`` has by column its sources, ``FILE/TABLE/COLUMN``; the first
    one that has the row counts. ``rows`` has by name of a row what the sources call it.
    """
    names: dict[str, str] = described["rows"]
    columns, formats = [described["first"]], [""]
    cells: list[list[Cell]] = [[*names]]
    for column, sources in described["view"].items():
        found: dict[Cell, tuple[Cell, str]] = {}
        for source in sources:
            file, name, of = source.split("/", 2)
            found = table(file, name).column(of) | found
        values = [found.get(name, (None, "")) for name in names.values()]
        columns.append(column)
        formats.append(next(format_ for _, format_ in values if format_))
        cells.append([value for value, _ in values])
    return Table(columns, formats, [list(row) for row in zip(*cells, strict=True)])


def filled(page: str) -> str:
    """The page with its tables."""
    return _REGION.sub(lambda m: m[1] + table(m["file"], m["name"]).markdown() + m[4], page)


def pages() -> Iterator[Path]:
    """All pages that may have tables."""
    yield ROOT / "README.md"
    yield from sorted((ROOT / "docs").rglob("*.md"))


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the tables of results into the pages.")
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    check = parser.parse_args().check
    stale = False
    for path in pages():
        page = path.read_text(encoding="utf-8")
        if (new := filled(page)) != page:
            stale = True
            sys.stdout.write(f"{path.relative_to(ROOT)}: {'stale' if check else 'written'}\n")
            if not check:
                path.write_text(new, encoding="utf-8")
    return int(check and stale)


if __name__ == "__main__":
    sys.exit(main())

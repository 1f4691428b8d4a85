"""Summaries as tables: aligned text, coloured on a terminal, or Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from rich.console import Console
from rich.text import Text

from corpus_commons.terminal.output import standard_output
from evaluation.summary import Cell, Dimension, Summary

Format = Literal["text", "markdown"]

# Shown for missing values.
NOTHING = "–"
# In place of a metric's name.
SNIPPETS = "snippets"
_INTERVAL = "{0.f1_interval[0]:.3f}–{0.f1_interval[1]:.3f}"

_Columns = dict[str, Callable[[Cell], str]]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of strings; the first column is left-aligned, the others are numbers.

    best: the (row, column) of the cells to emphasise.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    best: frozenset[tuple[int, int]] = frozenset()


def table_of(title: str, head: str, rows: Mapping[str, Mapping[str, float]]) -> Table:
    """A table of named rows with the same columns: rates, and counts if they are int.

    head: the name of the first column.
    """
    columns = next(iter(rows.values()))
    cells = (
        (name, *(str(value) if isinstance(value, int) else _rate(value) for value in row.values()))
        for name, row in rows.items()
    )
    return Table(title, (head, *columns), tuple(cells))


def tables(summary: Summary) -> list[Table]:
    """The tables of a summary: all pages, then each metric by each dimension.

    Of pages of which only snippets are known, the snippets take the place of a metric.
    """
    cells = summary.cells["all"]["all"].values()
    has_gold = any(cell.gold_pages for cell in cells)
    has_others = any(cell.gold_pages < cell.pages for cell in cells)
    metrics = [*(summary.metrics if has_gold else ()), *([SNIPPETS] if has_others else ())]
    main, *others = metrics
    dimensions = [dimension for dimension in summary.cells if dimension != "all"]
    return [
        _by_method(summary, main, _overall_columns(summary, main)),
        *(_by_method(summary, metric, _score_columns(metric)) for metric in others),
        *(_by_group(summary, metric, dimension) for dimension in dimensions for metric in metrics),
    ]


def _overall_columns(summary: Summary, metric: str) -> _Columns:
    """Scores, and snippets, times and failures."""
    cells = summary.cells["all"]["all"].values()
    columns: _Columns = {"pages": lambda cell: str(cell.pages)}
    if metric != SNIPPETS and any(cell.gold_pages < cell.pages for cell in cells):
        columns["with gold"] = lambda cell: str(cell.gold_pages)
    columns |= _score_columns(metric)
    if any(cell.snippets.pages for cell in cells):
        columns |= {
            "with ↑": lambda cell: _rate(cell.snippets.with_rate),
            "without ↓": lambda cell: _rate(cell.snippets.without_rate),
        }
    return columns | {
        "median ms": lambda cell: _milliseconds(cell.median_seconds),
        "p95 ms": lambda cell: _milliseconds(cell.p95_seconds),
        "timeouts": lambda cell: str(cell.timeouts),
        "failures": lambda cell: str(cell.failures),
    }


def _score_columns(metric: str) -> _Columns:
    if metric == SNIPPETS:
        return {
            "F1": lambda cell: _rate(cell.snippets.f1),
            "precision": lambda cell: _rate(cell.snippets.precision),
            "recall": lambda cell: _rate(cell.snippets.recall),
        }
    return {
        "F1": lambda cell: _rate(_f1(cell, metric)),
        "95 % interval": lambda cell: _of(cell, metric, _INTERVAL),
        "precision": lambda cell: _of(cell, metric, "{0.precision:.3f}"),
        "recall": lambda cell: _of(cell, metric, "{0.recall:.3f}"),
    }


def _by_method(summary: Summary, metric: str, columns: _Columns) -> Table:
    cells = summary.cells["all"]["all"]
    rows = tuple((name, *(shown(cells[name]) for shown in columns.values())) for name in cells)
    best = _best(rows, [1 + list(columns).index("F1")])
    return Table(f"all pages, {metric}", ("method", *columns), rows, best)


def _by_group(summary: Summary, metric: str, dimension: Dimension) -> Table:
    """F1 of each method in each group."""
    groups = summary.cells[dimension]
    heads = tuple(
        f"{name} ({max(cell.pages for cell in cells.values())})" if cells else name
        for name, cells in groups.items()
    )
    rows = tuple(
        (
            method,
            *(
                _rate(_f1(cells[method], metric)) if method in cells else NOTHING
                for cells in groups.values()
            ),
        )
        for method in summary.methods
    )
    title = f"F1 by {dimension} (pages), {metric}"
    return Table(title, ("method", *heads), rows, _best(rows, range(1, len(heads) + 1)))


def _f1(cell: Cell, metric: str) -> float | None:
    if metric == SNIPPETS:
        return cell.snippets.f1
    return cell.scores[metric].f1 if metric in cell.scores else None


def _of(cell: Cell, metric: str, layout: str) -> str:
    """The average in this layout; nothing if the cell has no page with gold text."""
    return layout.format(cell.scores[metric]) if metric in cell.scores else NOTHING


def _best(rows: tuple[tuple[str, ...], ...], columns: Iterable[int]) -> frozenset[tuple[int, int]]:
    """The highest value of each column; none if there is only one row."""
    if len(rows) == 1:
        return frozenset()
    best: set[tuple[int, int]] = set()
    for column in columns:
        # Rates have the same number of digits, so they compare as strings; NOTHING is never best.
        values = [row[column].replace(NOTHING, "") for row in rows]
        best.update((row, column) for row, value in enumerate(values) if value == max(values) != "")
    return frozenset(best)


def _rate(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.3f}"


def _milliseconds(seconds: float | None) -> str:
    return NOTHING if seconds is None else f"{1000 * seconds:.1f}"


def _aligned(table: Table) -> Text:
    """The table in aligned columns under its title, styled for a terminal."""
    lines = [table.columns, *table.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = Text.assemble((table.title, "bold"))
    for number, line in enumerate(lines):
        text.append("\n")
        for column, (cell, width) in enumerate(zip(line, widths, strict=True)):
            aligned = f"  {cell:>{width}}" if column else f"{cell:<{width}}"
            best = (number - 1, column) in table.best
            text.append(aligned, "dim" if number == 0 else "bold green" if best else "")
    return text


def as_markdown(table: Table) -> str:
    """A Markdown table, the best values in bold.

    >>> table = Table("a title", ("method", "F1"), (("bte", "0.9"),), frozenset([(0, 1)]))
    >>> print(as_markdown(table))
    **a title**
    <BLANKLINE>
    | method | F1 |
    | --- | ---: |
    | bte | **0.9** |
    """
    rule = ["---", *["---:"] * (len(table.columns) - 1)]
    rows = [
        [
            f"**{cell}**" if (row, column) in table.best else cell.replace("|", r"\|")
            for column, cell in enumerate(cells)
        ]
        for row, cells in enumerate(table.rows)
    ]
    lines = ["| " + " | ".join(line) + " |" for line in [table.columns, rule, *rows]]
    return "\n".join([f"**{table.title}**", "", *lines])


def show(shown: Iterable[Table], layout: Format, console: Console) -> None:
    """Print tables, in colour if the console is a terminal; lines are never wrapped."""
    with standard_output():
        for table in shown:
            text = Text(as_markdown(table)) if layout == "markdown" else _aligned(table)
            console.print(text, soft_wrap=True)
            console.print()

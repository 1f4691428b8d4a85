"""The summary of a run for a terminal."""

from __future__ import annotations

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pipelines.reporting.ending import ending
from pipelines.reporting.summary import Part, Summary, label_of


def as_tables(summary: Summary) -> Group:
    """The numbers of this run, then those of the whole job."""
    parts = (summary.this_run(), summary.whole_job())
    return Group(*(row for part in parts for row in _rows(summary.job, part)))


def _rows(job: str, part: Part) -> tuple[RenderableType, ...]:
    totals = Table(f"{job}: {part.title}", "", box=None, pad_edge=False)
    totals.columns[1].justify = "right"
    for name, value in part.shown().items():
        totals.add_row(name, value)
    groups = []
    for name, counts in part.groups.items():
        table = Table(label_of(name), "", box=None, pad_edge=False)
        table.columns[1].justify = "right"
        for value, count in counts.items():
            table.add_row(Text(value), f"{count:,}")
        groups.append(table)
    beneath = (Text(), Columns(groups, padding=(1, 4))) if groups else ()
    return totals, *beneath, Text()


def closing_lines(summary: Summary) -> str:
    """How the run ended, and where its results are, one per line."""
    lines = [ending(summary), f"corpus  {summary.corpus}"]
    if summary.kept > summary.totals.documents:
        lines.append(f"counts  scrapy corpus stats {summary.corpus}")
    whose = "" if summary.has_report else " (of an earlier run)"
    return "\n".join([*lines, f"report  {summary.report}{whose}"])

"""The numbers of a run, for its summary on the terminal and for its report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from crawler.frontier.base import DeadLetter, Stats
from pipelines.counts import counted


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run did.

    seconds: its wall-clock time.
    documents, rejects: pages of this run; frontier and dead: of the whole job, other runs included.
    groups: counts by title: genre, page type and language of documents, reasons of rejects.
    failure: why the run ended before it was done; None if it did not.
    """

    job: str
    folder: Path
    corpus: Path
    started: datetime
    seconds: float
    frontier: Stats
    documents: int = 0
    rejects: int = 0
    rendered: int = 0
    groups: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    dead: tuple[DeadLetter, ...] = ()
    failure: str | None = None

    @property
    def pages_per_second(self) -> float:
        return (self.documents + self.rejects) / self.seconds if self.seconds > 0 else 0.0

    def totals(self) -> dict[str, str]:
        """The numbers that are no groups, as they are shown."""
        urls = self.frontier
        return {
            "documents": f"{self.documents:,}",
            "rejects": f"{self.rejects:,}",
            "rendered in a browser": f"{self.rendered:,}",
            "seconds": f"{self.seconds:,.1f}",
            "pages/s": f"{self.pages_per_second:,.1f}",
            "URLs known": f"{urls.added:,}",
            "URLs done": f"{urls.done:,}",
            "URLs dead": f"{urls.dead:,}",
            "URLs left": f"{urls.queued + urls.leased:,}",
        }


def groups_of(stats: Mapping[str, Any], frontier: Stats) -> dict[str, Mapping[str, int]]:
    """The counts of a run by title; titles without any are left out."""
    outcomes = dict(sorted(frontier.outcomes.items(), key=lambda pair: -pair[1]))
    found: dict[str, Mapping[str, int]] = {
        "outcome": outcomes,
        "genre": counted(stats, "genre"),
        "page type": counted(stats, "page_type"),
        "language": counted(stats, "language"),
        "rejected for": counted(stats, "reason"),
    }
    return {title: counts for title, counts in found.items() if counts}


def as_tables(summary: Summary) -> Group:
    """The summary for a terminal."""
    totals = Table(summary.job, "", box=None, pad_edge=False)
    totals.columns[1].justify = "right"
    for name, value in summary.totals().items():
        totals.add_row(name, value)
    parts: list[Table | Text] = [totals]
    for title, counts in summary.groups.items():
        table = Table(title, "pages", box=None, pad_edge=False)
        table.columns[1].justify = "right"
        for value, count in counts.items():
            table.add_row(Text(value), f"{count:,}")
        parts += [Text(), table]
    parts += [Text(), Text(f"corpus  {summary.corpus}"), Text(f"report  {report_of(summary)}")]
    return Group(*parts)


def report_of(summary: Summary) -> Path:
    """Where the report of a run lies."""
    return summary.folder / "report.html"

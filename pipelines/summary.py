"""The numbers of a run, for its summary on the terminal and for its report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.columns import Columns
from rich.console import Group
from rich.table import Table
from rich.text import Text

from crawler.frontier.base import DeadLetter, Stats
from crawler.verdicts import nothing_fetched
from pipelines.counts import counted


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run did.

    seconds: its wall-clock time.
    documents, rejects: pages of this run; words: of its documents.
    unclassified: screenshots to which the genre network had no answer.
    frontier, dead: of the whole job, other runs included.
    groups: counts by title: genre, page type and language of documents, reasons of rejects.
    stopped: whether somebody, or the system, asked for its end.
    job_stopped: whether somebody asked for the end of all workers of the job.
    failure: why the run ended before it was done; None if it did not.
    """

    job: str
    folder: Path
    corpus: Path
    started: datetime
    seconds: float
    frontier: Stats
    documents: int = 0
    words: int = 0
    rejects: int = 0
    rendered: int = 0
    unclassified: int = 0
    groups: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    dead: tuple[DeadLetter, ...] = ()
    stopped: bool = False
    job_stopped: bool = False
    failure: str | None = None

    @property
    def pages_per_second(self) -> float:
        return (self.documents + self.rejects) / self.seconds if self.seconds > 0 else 0.0

    def totals(self) -> dict[str, str]:
        """The numbers that are no groups, as they are shown."""
        urls = self.frontier
        drawn = {"rendered in a browser": f"{self.rendered:,}"}
        if self.unclassified:
            drawn["screenshots not classified"] = f"{self.unclassified:,}"
        return {
            "documents": f"{self.documents:,}",
            "words": f"{self.words:,}",
            "rejects": f"{self.rejects:,}",
            **drawn,
            "seconds": f"{self.seconds:,.1f}",
            "pages/s": f"{self.pages_per_second:,.1f}",
            "URLs known": f"{urls.added:,}",
            "URLs done": f"{urls.done:,}",
            "URLs dead": f"{urls.dead:,}",
            "URLs left": f"{urls.queued + urls.leased:,}",
        }


def ending(summary: Summary) -> str:
    """How the run ended, and what can be done about it, in a sentence."""
    left = summary.frontier.queued + summary.frontier.leased
    again = "the same command goes on with the job"
    if summary.failure:
        return f"ended early: {summary.failure}; {again}"
    if summary.job_stopped:
        resumed = f"after `scrapy frontier resume` {again}"
        return f"stopped for all workers: {left:,} URLs are left; {resumed}"
    if summary.stopped:
        return f"stopped early: {left:,} URLs are left, and {again}"
    if nothing_fetched(summary.frontier):
        return (
            "not one URL could be fetched: `scrapy frontier stats` says why, "
            "`scrapy frontier retry` puts the URLs back into the queue"
        )
    if left:
        return f"a limit is reached: {left:,} URLs are left unvisited"
    return "finished: every URL is done or given up"


def groups_of(
    stats: Mapping[str, Any], frontier: Stats, dead: Iterable[DeadLetter] = ()
) -> dict[str, Mapping[str, int]]:
    """The counts of a run by title, and of the job's URLs; titles without any are left out."""
    outcomes: Counter[str] = Counter()
    for outcome, count in frontier.outcomes.items():
        # Why pages were rejected is a group of its own.
        outcomes["rejected" if outcome.startswith("rejected: ") else outcome] += count
    found: dict[str, Mapping[str, int]] = {
        "genre": counted(stats, "genre"),
        "page type": counted(stats, "page_type"),
        "language": counted(stats, "language"),
        "rejected for": counted(stats, "reason"),
        "URLs of the job": dict(outcomes.most_common()),
        "given up for": dict(Counter(letter.reason for letter in dead).most_common()),
    }
    return {title: counts for title, counts in found.items() if counts}


def as_tables(summary: Summary) -> Group:
    """The summary for a terminal."""
    totals = Table(summary.job, "", box=None, pad_edge=False)
    totals.columns[1].justify = "right"
    for name, value in summary.totals().items():
        totals.add_row(name, value)
    groups = []
    for title, counts in summary.groups.items():
        table = Table(title, "", box=None, pad_edge=False)
        table.columns[1].justify = "right"
        for value, count in counts.items():
            table.add_row(Text(value), f"{count:,}")
        groups.append(table)
    return Group(totals, Text(), Columns(groups, padding=(1, 4)))


def last_words(summary: Summary) -> str:
    """How the run ended, and where its results lie, a line each."""
    return f"\n{ending(summary)}\ncorpus  {summary.corpus}\nreport  {report_of(summary)}"


def report_of(summary: Summary) -> Path:
    """Where the report of a run lies."""
    return summary.folder / "report.html"

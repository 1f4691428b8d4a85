"""The numbers of a run and of its whole job, for the terminal, the log and the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from crawler.frontier.base import DeadLetter, Stats
from pipelines.corpus_output import KEPT, REJECTED
from pipelines.reporting.counts import Totals, counted

REPORT: Final = "report.html"
# The folder with one report for each run.
REPORTS: Final = "reports"

# Labels of numbers and groups; names that are not here are shown as they are.
_LABELS: Final = {
    "rendered": "rendered in a browser",
    "unclassified": "screenshots not classified",
    "replaced": "worker processes replaced",
    "lost": "leases lost",
    "pages_per_second": "pages/s",
    "urls_known": "URLs known",
    "urls_done": "URLs done",
    "urls_dead": "URLs dead",
    "urls_left": "URLs left",
    "genres": "genre",
    "page_types": "page type",
    "languages": "language",
    "reject_reasons": "reject reason",
    "outcomes": "URLs done",
    "dead_reasons": "dead URLs by reason",
}
# Shown only if not 0.
_TROUBLES: Final = frozenset({"unclassified", "replaced", "lost"})


def label_of(name: str) -> str:
    """The label of a number or group."""
    return _LABELS.get(name, name)


@dataclass(frozen=True, slots=True)
class Part:
    """The numbers of one run, or of all runs.

    numbers: by name. groups: counts by name and value, the largest first; none of them is empty.
    """

    title: str
    numbers: Mapping[str, float]
    groups: Mapping[str, Mapping[str, int]]

    def shown(self) -> dict[str, str]:
        """The numbers by label, formatted."""
        return {
            label_of(name): f"{number:,}" if isinstance(number, int) else f"{number:,.1f}"
            for name, number in self.numbers.items()
            if number or name not in _TROUBLES
        }

    def as_data(self) -> dict[str, Any]:
        """For JSON."""
        return {**self.numbers, **self.groups}


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a run, and the state of its job.

    worker: the name of the worker that ran.
    seconds: wall-clock time of the run.
    totals: of this run.
    lost: leases that were lost before their pages were safe; those pages are fetched again.
    groups: counts of this run by name.
    frontier, dead_reasons: of the whole job, including other runs and workers.
    dead: the first of the job's dead URLs, for the report.
    stopped: whether the run was stopped by a user or a signal.
    job_stopped: whether an operator stopped all workers of the job.
    limit: the limit that was reached, as written in the job file; None if none was.
    failure: why the run ended early; None if it did not fail.
    has_report: whether this run writes a report.
    """

    job: str
    worker: str
    folder: Path
    corpus: Path
    started: datetime
    seconds: float
    frontier: Stats
    totals: Totals = field(default_factory=Totals)
    lost: int = 0
    groups: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    dead: tuple[DeadLetter, ...] = ()
    dead_reasons: Mapping[str, int] = field(default_factory=dict)
    stopped: bool = False
    job_stopped: bool = False
    limit: str | None = None
    failure: str | None = None
    has_report: bool = True

    @property
    def report(self) -> Path:
        """The report of the latest run that wrote one."""
        return self.folder / REPORT

    @property
    def own_report(self) -> Path:
        """The report of this run, which later runs do not overwrite."""
        return self.folder / REPORTS / f"{self.started:%Y-%m-%dT%H%M%SZ}-{self.worker}.html"

    @property
    def kept(self) -> int:
        """Number of documents of all runs."""
        return self.frontier.outcomes.get(KEPT, 0)

    def this_run(self) -> Part:
        """The numbers of this run of this worker."""
        pages = self.totals.pages
        numbers = {
            **self.totals._asdict(),
            "lost": self.lost,
            "seconds": round(self.seconds, 3),
            "pages_per_second": round(pages / self.seconds, 3) if self.seconds > 0 else 0.0,
        }
        return Part("this run", numbers, self.groups)

    def whole_job(self) -> Part:
        """The numbers of all runs and workers, as counted by the frontier."""
        urls = self.frontier
        outcomes: Counter[str] = Counter()
        reasons: Counter[str] = Counter()
        for outcome, count in urls.outcomes.items():
            is_reject = outcome.startswith(REJECTED)
            outcomes["rejected" if is_reject else outcome] += count
            if is_reject:
                reasons[outcome.removeprefix(REJECTED)] += count
        numbers = {
            "documents": self.kept,
            "rejects": reasons.total(),
            "urls_known": urls.added,
            "urls_done": urls.done,
            "urls_dead": urls.dead,
            "urls_left": urls.queued + urls.leased,
        }
        groups = {
            "outcomes": outcomes,
            "reject_reasons": reasons,
            "dead_reasons": Counter(self.dead_reasons),
        }
        return Part(
            "whole job",
            numbers,
            {name: dict(counts.most_common()) for name, counts in groups.items() if counts},
        )

    def as_data(self) -> dict[str, Any]:
        """For a JSON log line."""
        return {
            "job": self.job,
            "worker": self.worker,
            "folder": str(self.folder),
            "corpus": str(self.corpus),
            "report": str(self.report),
            "failure": self.failure,
            "this_run": self.this_run().as_data(),
            "all_runs": self.whole_job().as_data(),
        }


def pages_of(outcomes: Mapping[str, int]) -> int:
    """How many of the done URLs were pages, as ``limits.pages`` counts them.

    >>> pages_of({"kept": 3, "rejected: empty": 2, "redirected": 1})
    5
    """
    return sum(
        count
        for outcome, count in outcomes.items()
        if outcome == KEPT or outcome.startswith(REJECTED)
    )


def groups_of(stats: Mapping[str, Any]) -> dict[str, Mapping[str, int]]:
    """The counts of a run by group; empty groups are left out."""
    found = {
        "genres": counted(stats, "genre"),
        "page_types": counted(stats, "page_type"),
        "languages": counted(stats, "language"),
        "reject_reasons": counted(stats, "reason"),
    }
    return {name: counts for name, counts in found.items() if counts}

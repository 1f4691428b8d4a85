"""The numbers of a run and of the job that it is part of, for the terminal, logs and the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from crawler.frontier.base import DeadLetter, Stats
from pipelines.corpus_output import KEPT, REJECTED
from pipelines.counts import Totals, counted

REPORT: Final = "report.html"
# The reports of all runs, each in a file of its own.
REPORTS: Final = "reports"

# As people read the names of numbers and groups; a name that is not here says it itself.
_LABELS: Final = {
    "rendered": "rendered in a browser",
    "unclassified": "screenshots not classified",
    "replaced": "reading processes replaced",
    "lost": "leases lost",
    "pages_per_second": "pages/s",
    "urls_known": "URLs known",
    "urls_done": "URLs done",
    "urls_dead": "URLs dead",
    "urls_left": "URLs left",
    "genres": "genre",
    "page_types": "page type",
    "languages": "language",
    "reject_reasons": "rejected for",
    "outcomes": "URLs",
    "dead_reasons": "given up for",
}
# Not worth a word unless they happened.
_ODD: Final = frozenset({"unclassified", "replaced", "lost"})


def label_of(name: str) -> str:
    """A name as people read it."""
    return _LABELS.get(name, name)


@dataclass(frozen=True, slots=True)
class Part:
    """What belongs together: the numbers of one run, or of all runs.

    numbers: by name. groups: counts by name and value, the largest first; none of them is empty.
    """

    title: str
    numbers: Mapping[str, float]
    groups: Mapping[str, Mapping[str, int]]

    def shown(self) -> dict[str, str]:
        """The numbers as people read them."""
        return {
            label_of(name): f"{number:,}" if isinstance(number, int) else f"{number:,.1f}"
            for name, number in self.numbers.items()
            if number or name not in _ODD
        }

    def as_data(self) -> dict[str, Any]:
        """For JSON."""
        return {**self.numbers, **self.groups}


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run did, and what came of its job so far.

    worker: whose run it is.
    seconds: its wall-clock time.
    totals: of this run.
    lost: leases that ended before their pages were safe; those come again.
    groups: counts of this run by name.
    frontier, dead_reasons: of the whole job, other runs and workers included.
    dead: the first of the job's dead URLs, to be listed.
    stopped: whether somebody, or the system, asked for its end.
    job_stopped: whether somebody asked for the end of all workers of the job.
    limit: the limit of the job that is reached, as its file has it; None if none is known.
    failure: why the run ended before it was done; None if it did not.
    has_report: whether it leaves a report.
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
        """The report of the last run that has one."""
        return self.folder / REPORT

    @property
    def own_report(self) -> Path:
        """The report of this run, which no other run replaces."""
        return self.folder / REPORTS / f"{self.started:%Y-%m-%dT%H%M%SZ}-{self.worker}.html"

    @property
    def kept(self) -> int:
        """Documents of all runs."""
        return self.frontier.outcomes.get(KEPT, 0)

    def this_run(self) -> Part:
        """What this run did, of one worker."""
        pages = self.totals.pages
        numbers = {
            **self.totals._asdict(),
            "lost": self.lost,
            "seconds": round(self.seconds, 3),
            "pages_per_second": round(pages / self.seconds, 3) if self.seconds > 0 else 0.0,
        }
        return Part("this run", numbers, self.groups)

    def whole_job(self) -> Part:
        """What all runs and workers did, as the frontier has counted it."""
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
            "all runs of the job",
            numbers,
            {name: dict(counts.most_common()) for name, counts in groups.items() if counts},
        )

    def as_data(self) -> dict[str, Any]:
        """For a line of JSON."""
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
    """How many of the URLs that are done were pages, as the limits count them.

    >>> pages_of({"kept": 3, "rejected: empty": 2, "redirected": 1})
    5
    """
    return sum(
        count
        for outcome, count in outcomes.items()
        if outcome == KEPT or outcome.startswith(REJECTED)
    )


def groups_of(stats: Mapping[str, Any]) -> dict[str, Mapping[str, int]]:
    """The counts of a run by name; those without any are left out."""
    found = {
        "genres": counted(stats, "genre"),
        "page_types": counted(stats, "page_type"),
        "languages": counted(stats, "language"),
        "reject_reasons": counted(stats, "reason"),
    }
    return {name: counts for name, counts in found.items() if counts}

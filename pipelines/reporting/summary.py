"""The numbers of a run and of its whole job, and how it ended, for the terminal, log and report."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from corpus_commons.counts import number_of
from crawler.adaptive.host_table import HostRendering
from crawler.crawl.ending import nothing_fetched
from crawler.frontier.base import DeadLetter
from crawler.frontier.stats import Stats
from crawler.outcomes import FAILED, HELD, KEPT, PRIVATE_ADDRESS, REJECTED
from pipelines.reporting.counts import Totals
from settings.tables.limits import Limits

REPORT: Final = "report.html"
# The folder with one report for each run.
REPORTS: Final = "reports"

# Labels of numbers and groups; names that are not here are shown as they are.
_LABELS: Final = {
    "held": "waiting for their site",
    "read": "pages read",
    "rendered": "rendered in a browser",
    "changed": "changed by rendering",
    "unclassified": "screenshots not classified",
    "replaced": "page workers replaced",
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
    "rendering": "what decided rendering",
    "outcomes": "visits by outcome",
    "dead_reasons": "dead URLs by reason",
}
_AGAIN: Final = "run the same command again to resume"
# Shown only if not 0.
_SELDOM: Final = frozenset(
    {"unchanged", "gone", "held", "changed", "unclassified", "replaced", "lost"}
)


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
            if number or name not in _SELDOM
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
    hosts: those with the most rendered pages of this run, if it was decided for each page.
    frontier, dead_reasons: of the whole job, including other runs and workers.
    dead: the first of the job's dead URLs, for the report.
    stopped: whether the run was stopped by a user or a signal.
    job_stopped: whether an operator stopped all workers of the job.
    has_new_scope: whether another worker has set another scope, by which this one ended.
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
    hosts: tuple[HostRendering, ...] = ()
    dead: tuple[DeadLetter, ...] = ()
    dead_reasons: Mapping[str, int] = field(default_factory=dict)
    stopped: bool = False
    job_stopped: bool = False
    has_new_scope: bool = False
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

    def final_status(self) -> str:
        """How the run ended, and what the user can do next, in one sentence."""
        left = self._left()
        if self.failure:
            return f"ended early: {self.failure}; {_AGAIN}"
        if self.job_stopped:
            resumed = f"after `genre-crawler frontier resume`, {_AGAIN}"
            return f"stopped for all workers with {left}; {resumed}"
        if self.has_new_scope:
            # The same command might bring the old scope back.
            why = "another worker has brought another scope or other seeds"
            return f"stopped early with {left}: {why}; run it again with the new job file"
        if self.stopped:
            return f"stopped early with {left}; {_AGAIN}"
        if nothing_fetched(self.frontier):
            return f"no URL could be fetched: {'; '.join(self._obstacles())}"
        if self.frontier.left:
            return f"finished: {self.limit or 'a limit'} reached with {left}{self._elsewhere()}"
        return f"finished: every URL is done or dead{self._elsewhere()}"

    def _left(self) -> str:
        """What a later run has to do."""
        held = self.totals.held
        waits = number_of(held, "page that waits for its site", "pages that wait for their site")
        left = number_of(self.frontier.left, "URL")
        return f"{left} left and {waits}" if held else f"{left} left"

    def _elsewhere(self) -> str:
        """What a run that has ended by itself leaves to others: it holds no pages any more."""
        held = self.frontier.outcomes.get(HELD, 0) - self.totals.held
        if held <= 0:
            return ""
        waits = number_of(held, "page waits for its site", "pages wait for their site")
        return (
            f"; {waits} with other workers, for good if those died: "
            "then run the same command again where they ran, or merge the corpora"
        )

    def _obstacles(self) -> list[str]:
        """Why this run has fetched no URL, and what helps."""
        urls, outcomes = self.frontier, self.frontier.run.outcomes
        if not urls.added:
            return ["none of the seeds could be used, see the log"]
        private = outcomes.get(PRIVATE_ADDRESS, 0)
        failed = sum(n for outcome, n in outcomes.items() if outcome.startswith(FAILED))
        found = {
            f"{failed:,} have failed, and will be visited again when they are due": failed,
            f"{private:,} point into a private network, where connections are refused": private,
            f"{urls.dead:,} are dead: `genre-crawler frontier stats` shows why, "
            "`genre-crawler frontier retry` puts them back into the queue": urls.dead,
            f"{urls.purged:,} were dead and have been purged": urls.purged,
            f"{urls.left:,} were left when {self.limit or 'a limit'} was reached": urls.left,
        }
        return [words for words, count in found.items() if count]

    def this_run(self) -> Part:
        """The numbers of this run of this worker."""
        read = self.totals.read
        numbers = {
            **self.totals._asdict(),
            "lost": self.lost,
            "seconds": round(self.seconds, 3),
            "pages_per_second": round(read / self.seconds, 3) if self.seconds > 0 else 0.0,
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
            "urls_left": self.frontier.left,
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


def limit_reached(limits: Limits, urls: Stats, seconds: float) -> str | None:
    """The limit that was reached, as written in the job file; None if none was.

    >>> limit_reached(Limits(pages=5), Stats(leased=5), 60.0)
    'limits.pages = 5'
    >>> limit_reached(Limits(total_time="1h"), Stats(leased=5), 3600.0)
    'limits.total_time = "1h"'
    """
    amounts = {
        "pages": urls.run.pages + urls.leased,
        "total_size": urls.run.received,
        "total_time": seconds,
        # Blamed if set and none of the others was reached: counts per host are not known here.
        "pages_per_host": math.inf,
    }
    for name, amount in amounts.items():
        most = getattr(limits, name)
        if most is not None and amount >= most:
            return f"limits.{name} = {json.dumps(limits.model_dump(mode='json')[name])}"
    return None

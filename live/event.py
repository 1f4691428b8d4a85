"""Snapshots as events of the page (Server-Sent Events, WHATWG HTML, section 9.2)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from corpus_commons import json_text
from crawler.frontier import HostStats
from crawler.frontier.counters import by_count
from crawler.outcomes import HELD, KEPT, REJECTED, UNCHANGED
from live.documents import plain
from live.report import Newest, WorkerReport
from live.watch import Snapshot

_MOST_ROWS: Final = 15
_MOST_DOCUMENTS: Final = 30
_MOST_PROCESSES: Final = 200
_OTHERS: Final = "others"


def event_of(snapshot: Snapshot, actions: Sequence[str]) -> bytes:
    """The snapshot as the page's script reads it. actions: what people may do now."""
    return event(shown(snapshot, actions))


def event(data: dict[str, Any], name: str = "message") -> bytes:
    """An event. JSON in one line has no line break that would end it."""
    return b"event: %b\ndata: %b\n\n" % (name.encode(), json_text.dumps(data))


def shown(snapshot: Snapshot, actions: Sequence[str]) -> dict[str, Any]:
    """What the page shows, for JSON. Everything is bounded, however large the crawl is."""
    reports, urls = snapshot.reports, asdict(snapshot.urls)
    outcomes = urls.pop("outcomes")
    groups: dict[str, Counter[str]] = {}
    for report in reports:
        for name, counts in report.groups.items():
            groups.setdefault(name, Counter()).update(counts)
    end = snapshot.end
    return {
        "job": snapshot.job,
        "state": snapshot.state,
        "actions": list(actions),
        "at": snapshot.at,
        "started": min((report.started for report in reports), default=None),
        "static": sum(report.static for report in reports),
        "rendered": sum(report.rendered for report in reports),
        "totals": _of_job(outcomes) if snapshot.is_shared else _of_runs(reports),
        "urls": urls,
        "outcomes": _most(outcomes),
        "end": end and {**asdict(end), "earliest": _finite(end.earliest)},
        "workers": _workers(snapshot),
        "hosts": [_host(host, snapshot.at) for host in snapshot.hosts],
        # As they are: a reason is what its URLs are retried by.
        "dead": list(snapshot.dead.items())[:_MOST_ROWS],
        "groups": {name: _most(counts) for name, counts in groups.items()},
        "documents": _documents(reports),
        "processes": [
            {"worker": report.worker, "of": process}
            for report in reports
            for process in report.processes
        ][:_MOST_PROCESSES],
    }


def _of_runs(reports: Sequence[WorkerReport]) -> Mapping[str, int]:
    totals: Counter[str] = Counter()
    for report in reports:
        totals.update(report.totals)
    return totals


def _of_job(outcomes: Mapping[str, int]) -> Mapping[str, int]:
    """Of all runs and workers, also those that have ended, whose reports are forgotten."""
    names = {"documents": KEPT, "unchanged": UNCHANGED, "held": HELD}
    rejects = sum(count for name, count in outcomes.items() if name.startswith(REJECTED))
    found = {name: outcomes.get(outcome, 0) for name, outcome in names.items()}
    return {**found, "rejects": rejects}


def _host(host: HostStats, now: float) -> dict[str, Any]:
    return {
        "host": plain(host.host),
        "queued": host.queued,
        "leased": host.leased,
        "done": host.done,
        "dead": host.dead,
        "wait": max(0.0, host.next_at - now),
    }


def _workers(snapshot: Snapshot) -> list[dict[str, Any]]:
    """Those that report, and those that only hold leases, as they may be dead."""
    reports = {report.worker: report for report in snapshot.reports}
    names = sorted({*reports, *snapshot.leases})
    return [_worker(name, snapshot, reports.get(name)) for name in names][:500]


def _worker(name: str, snapshot: Snapshot, report: WorkerReport | None) -> dict[str, Any]:
    shown: dict[str, Any] = {"worker": name, "leases": snapshot.leases.get(name, 0)}
    if report is not None:
        shown |= {
            "static": report.static,
            "rendered": report.rendered,
            "documents": report.totals.get("documents", 0),
            "memory": sum(process.memory for process in report.processes),
            "cpu": sum(process.cpu for process in report.processes),
            "free": report.disk_free,
            "age": max(0.0, snapshot.at - report.at),
        }
    return shown


def _documents(reports: Sequence[WorkerReport]) -> list[Newest]:
    found = [document for report in reports for document in report.documents]
    found.sort(key=lambda document: -document.at)
    return found[:_MOST_DOCUMENTS]


def _most(counts: dict[str, int] | Counter[str]) -> list[list[Any]]:
    """The largest counts, and the sum of the others; as pairs, because JavaScript sorts keys."""
    rows = list(by_count(counts).items())
    rest = sum(count for _, count in rows[_MOST_ROWS:])
    shown = [[plain(name), count] for name, count in rows[:_MOST_ROWS]]
    return [*shown, [_OTHERS, rest]] if rest else shown


def _finite(seconds: float) -> float | None:
    return seconds if math.isfinite(seconds) else None

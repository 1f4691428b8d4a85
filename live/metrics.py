"""The metrics of a snapshot, as Prometheus reads them; docs/reference/metrics.md lists them.

A worker's have its name as a label. Those of the frontier are of the whole job, and the same from
all its workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, get_args

from prometheus_client import CollectorRegistry
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from crawler.frontier.fleet import State
from live.histogram import Histogram
from live.report import WorkerReport
from live.watch import ENDED, Snapshot
from live.worker import CONFIDENCE, DOWNLOAD, RENDER
from pipelines.reporting.job_state import FINISHED, IDLE

PREFIX: Final = "genre_crawler_"
JOB_LABEL: Final = "crawl"
WORKER_LABEL: Final = "worker"
STATES: Final = (*get_args(State), IDLE, FINISHED, ENDED)
# Values of one label beyond so many are not exported: each is a time series.
_MOST_VALUES: Final = 200

Values = Iterable[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class Family:
    """A metric with its labels, beside that of the crawl and, of workers, that of the worker.

    label: its own; empty if it has none. values: by that label's value.
    is_counter: whether it only grows; its name then ends in ``_total``.
    """

    name: str
    help: str
    label: str = ""
    is_counter: bool = False


@dataclass(frozen=True, slots=True)
class OfFrontier(Family):
    values: Callable[[Snapshot], Values] = lambda _: ()


@dataclass(frozen=True, slots=True)
class OfWorker(Family):
    values: Callable[[WorkerReport], Values] = lambda _: ()


def _one(value: float) -> Values:
    return [("", value)]


def _end(snapshot: Snapshot) -> Values:
    seconds = snapshot.end.seconds if snapshot.end else None
    return [] if seconds is None else _one(seconds)


def _memory(report: WorkerReport) -> Values:
    return _by_role((one.role, float(one.memory)) for one in report.processes)


def _processes(report: WorkerReport) -> Values:
    return _by_role((one.role, 1.0) for one in report.processes)


def _cores(report: WorkerReport) -> Values:
    return _by_role((one.role, one.cpu) for one in report.processes)


def _by_role(pairs: Iterable[tuple[str, float]]) -> Values:
    found: dict[str, float] = {}
    for role, value in pairs:
        found[role] = found.get(role, 0.0) + value
    return found.items()


def _state(snapshot: Snapshot) -> Values:
    return [(state, float(state == snapshot.state)) for state in STATES]


def _url_states(snapshot: Snapshot) -> Values:
    urls = snapshot.urls
    states = ("queued", "leased", "done", "dead", "purged", "due")
    return [(state, getattr(urls, state)) for state in states]


def _group(name: str) -> Callable[[WorkerReport], Values]:
    return lambda report: report.groups.get(name, {}).items()


def _total(name: str) -> Callable[[WorkerReport], Values]:
    return lambda report: _one(report.totals.get(name, 0))


def _pages(report: WorkerReport) -> Values:
    totals = report.totals
    names = {"document": "documents", "reject": "rejects", "unchanged": "unchanged"}
    return [(result, totals.get(name, 0)) for result, name in names.items()]


FRONTIER: Final = (
    OfFrontier("frontier_urls", "URLs of the job by state", "state", values=_url_states),
    OfFrontier("frontier_hosts", "Hosts that the job knows", values=lambda s: _one(s.urls.hosts)),
    OfFrontier(
        "frontier_visits_total",
        "Acknowledged visits by outcome, of all runs",
        "outcome",
        is_counter=True,
        values=lambda snapshot: snapshot.urls.outcomes.items(),
    ),
    OfFrontier(
        "frontier_dead_urls",
        "URLs that were given up, by reason",
        "reason",
        values=lambda snapshot: snapshot.dead.items(),
    ),
    OfFrontier(
        "frontier_worker_leases",
        "URLs that each worker holds",
        "holder",
        values=lambda snapshot: snapshot.leases.items(),
    ),
    OfFrontier("state", "1 for the state that the crawl is in", "state", values=_state),
    OfFrontier("estimated_seconds_left", "Until the end of the crawl, as estimated", values=_end),
)
WORKER: Final = (
    OfWorker(
        "run_start_time_seconds",
        "When the run began, in seconds since 1970",
        values=lambda report: _one(report.started),
    ),
    OfWorker("pages_total", "Pages by what became of them", "result", True, values=_pages),
    OfWorker(
        "rendered_pages_total",
        "Pages that were rendered in a browser",
        is_counter=True,
        values=_total("rendered"),
    ),
    OfWorker(
        "documents_by_genre_total", "Documents by genre", "genre", True, values=_group("genres")
    ),
    OfWorker(
        "documents_by_page_type_total",
        "Documents by page type",
        "page_type",
        True,
        values=_group("page_types"),
    ),
    OfWorker(
        "documents_by_language_total",
        "Documents by language",
        "language",
        True,
        values=_group("languages"),
    ),
    OfWorker(
        "rejects_total", "Rejected pages by reason", "reason", True, values=_group("reject_reasons")
    ),
    OfWorker("words_total", "Words of the documents", is_counter=True, values=_total("words")),
    OfWorker("held_pages", "Pages that wait for more of their site", values=_total("held")),
    OfWorker(
        "responses_total",
        "Responses by HTTP status, robots.txt among them",
        "status",
        True,
        values=lambda report: report.responses.items(),
    ),
    OfWorker(
        "fetch_errors_total",
        "Fetches that ended without a response, by the exception's name",
        "error",
        True,
        values=lambda report: report.errors.items(),
    ),
    OfWorker(
        "received_bytes_total",
        "Bytes of response bodies, after decompression",
        is_counter=True,
        values=lambda report: _one(report.received),
    ),
    OfWorker(
        "leases", "URLs that the worker has in work", values=lambda report: _one(report.leases)
    ),
    OfWorker(
        "leases_lost_total",
        "Leases that were lost, so that their pages are fetched again",
        is_counter=True,
        values=lambda report: _one(report.lost),
    ),
    OfWorker(
        "politeness_wait_seconds_total",
        "Time in which there was room for fetches, but no host might be visited",
        is_counter=True,
        values=lambda report: _one(report.waited),
    ),
    OfWorker("processes", "Processes by role", "role", values=_processes),
    OfWorker(
        "process_resident_memory_bytes",
        "Resident memory of processes by role; what they share counts for each",
        "role",
        values=_memory,
    ),
    OfWorker("process_cpu_cores", "Cores that processes use now, by role", "role", values=_cores),
    OfWorker(
        "disk_free_bytes",
        "Free space of the file system of the job's folder",
        values=lambda report: _one(report.disk_free),
    ),
    OfWorker(
        "disk_size_bytes",
        "Size of the file system of the job's folder",
        values=lambda report: _one(report.disk_size),
    ),
)
HISTOGRAMS: Final = {
    "download_duration_seconds": (DOWNLOAD, "Time from a request to the last byte of its page"),
    "render_duration_seconds": (RENDER, "Time until a page had settled in the browser"),
    "extraction_confidence": (CONFIDENCE, "The extraction methods' own estimates of their F1"),
}


def names() -> dict[str, str]:
    """Every metric, with its kind."""
    return {
        **{PREFIX + one.name: _kind(one) for one in (*FRONTIER, *WORKER)},
        **{PREFIX + name: "histogram" for name in HISTOGRAMS},
    }


def exposition(snapshot: Snapshot, accepted: str = "") -> tuple[bytes, str]:
    """The metrics in the format that the client accepts, and its media type."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Snapshots(snapshot))
    encode, media_type = choose_encoder(accepted)
    return encode(registry), media_type


class _Snapshots(Collector):
    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def collect(self) -> Iterator[Metric]:
        snapshot = self._snapshot
        job = (snapshot.job,)
        for family in FRONTIER:
            made = _made(family, (JOB_LABEL,))
            _fill(made, family, job, family.values(snapshot))
            yield made
        for of_worker in WORKER:
            made = _made(of_worker, (JOB_LABEL, WORKER_LABEL))
            for report in snapshot.reports:
                _fill(made, of_worker, (*job, report.worker), of_worker.values(report))
            yield made
        for name, (key, text) in HISTOGRAMS.items():
            histogram = HistogramMetricFamily(PREFIX + name, text, labels=(JOB_LABEL, WORKER_LABEL))
            for report in snapshot.reports:
                _fill_histogram(histogram, (*job, report.worker), report.histograms, key)
            yield histogram


def _kind(family: Family) -> str:
    return "counter" if family.is_counter else "gauge"


def _made(family: Family, labels: tuple[str, ...]) -> CounterMetricFamily | GaugeMetricFamily:
    made = CounterMetricFamily if family.is_counter else GaugeMetricFamily
    own = (family.label,) if family.label else ()
    return made(PREFIX + family.name, family.help, labels=(*labels, *own))


def _fill(
    made: CounterMetricFamily | GaugeMetricFamily,
    family: Family,
    labels: tuple[str, ...],
    values: Values,
) -> None:
    for count, (value, number) in enumerate(values):
        if count == _MOST_VALUES:
            return
        own = (_encodable(value),) if family.label else ()
        made.add_metric((*labels, *own), number)


def _fill_histogram(
    made: HistogramMetricFamily,
    labels: tuple[str, ...],
    histograms: Mapping[str, Histogram],
    key: str,
) -> None:
    found = histograms.get(key)
    if found is None:
        return
    bounds = [*map(str, found.bounds), "+Inf"]
    made.add_metric(
        labels, list(zip(bounds, map(float, found.up_to()), strict=True)), sum_value=found.sum
    )


def _encodable(value: str) -> str:
    return value.encode("utf-8", "replace").decode()

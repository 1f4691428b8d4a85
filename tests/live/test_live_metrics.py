"""The metrics; and dashboard, alerts and documentation, which ask only for what exists."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml
from live_server import DEAD, report
from prometheus_client.openmetrics.parser import text_string_to_metric_families as open_metrics
from prometheus_client.parser import text_string_to_metric_families as plain_metrics

from crawler.frontier import Stats
from live.estimate import End
from live.metrics import PREFIX, STATES, exposition, names
from live.report import WorkerReport
from live.watch import Snapshot

ROOT = Path(__file__).parents[2]
DASHBOARD = json.loads((ROOT / "deploy/grafana/dashboard.json").read_text(encoding="utf-8"))
ALERTS = yaml.safe_load((ROOT / "deploy/prometheus/alerts.yaml").read_text(encoding="utf-8"))
RULES = ALERTS["groups"][0]["rules"]
# Grafana puts these in before Prometheus sees them.
OF_GRAFANA = {"$__rate_interval": "5m", "$crawl": ".*"}


def snapshot(**fields: Any) -> Snapshot:
    given: dict[str, Any] = {
        "job": "a-job",
        "at": 0.0,
        "urls": Stats(added=9, queued=4, done=5, hosts=2, outcomes={"kept": 5}),
        "dead": {DEAD: 1},
        "leases": {"worker-1": 4, "worker-2": 1},
        "end": End(90.0, 60.0, None),
        "reports": [report(), report(worker="worker-2")],
        **fields,
    }
    return Snapshot(**given)


def series(found: Snapshot) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    text = exposition(found)[0].decode()
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in plain_metrics(text)
        for sample in family.samples
    }


def value(found: Snapshot, name: str, **labels: str) -> float:
    return series(found)[PREFIX + name, frozenset({"crawl": "a-job", **labels}.items())]


def test_they_say_what_the_frontier_and_the_workers_say() -> None:
    found = snapshot()
    one = {"worker": "worker-1"}
    assert value(found, "frontier_urls", state="queued") == 4
    assert value(found, "frontier_dead_urls", reason=DEAD) == 1
    assert value(found, "frontier_visits_total", outcome="kept") == 5
    assert value(found, "estimated_seconds_left") == 90
    states = {state: value(found, "state", state=state) for state in STATES}
    assert states == {**dict.fromkeys(STATES, 0), "running": 1}
    assert value(found, "pages_total", result="reject", **one) == 3
    assert value(found, "documents_by_genre_total", genre="article", **one) == 5
    assert value(found, "responses_total", status="404", **one) == 1
    assert value(found, "politeness_wait_seconds_total", **one) == 12.5
    assert value(found, "process_resident_memory_bytes", role="reader", **one) == 10**8
    assert value(found, "download_duration_seconds_bucket", le="1.0", **one) == 3
    assert value(found, "download_duration_seconds_count", **one) == 3
    assert value(found, "download_duration_seconds_sum", **one) == 1.5


def test_a_worker_exports_only_its_own_numbers() -> None:
    workers = {dict(labels).get("worker") for _, labels in series(snapshot().of_worker("worker-2"))}
    assert workers == {None, "worker-2"}


def test_they_are_read_in_the_format_that_is_asked_for() -> None:
    hostile = snapshot(dead={'a\n"\\\ud800{}': 1})
    body, kind = exposition(hostile, "application/openmetrics-text; version=1.0.0")
    assert kind.startswith("application/openmetrics-text")
    reasons = {
        sample.labels["reason"]
        for family in open_metrics(body.decode())
        for sample in family.samples
        if "reason" in sample.labels
    }
    assert 'a\n"\\?{}' in reasons


def test_no_crawl_makes_more_series_than_a_server_can_bear() -> None:
    many = {f"reason {number}": 1 for number in range(10_000)}
    assert len(series(snapshot(dead=many))) < 400


def test_names_follow_the_conventions_and_are_all_documented() -> None:
    kinds = names()
    for name, kind in kinds.items():
        assert re.fullmatch(f"{PREFIX}[a-z_]+", name)
        assert name.endswith("_total") == (kind == "counter")
        assert not re.search("_(ms|minutes|kb|mb|percent)(_|$)", name), "base units only"
    page = (ROOT / "docs/reference/metrics.md").read_text(encoding="utf-8")
    rows = dict(re.findall(rf"^\| `({PREFIX}\w+)` \| (\w+) \|", page, re.MULTILINE))
    assert rows == kinds


def test_what_another_version_publishes_is_left_out() -> None:
    own = report()
    assert WorkerReport.from_json(own.to_json()) == own
    for content in (b"", b"[]", b"{}", own.to_json().replace(b'"lost":1', b'"lost":-1')):
        assert WorkerReport.from_json(content) is None


def expressions() -> Iterator[str]:
    yield from (rule["expr"] for rule in RULES)
    for panel in DASHBOARD["panels"]:
        for target in panel["targets"]:
            expression = target["expr"]
            for variable, example in OF_GRAFANA.items():
                expression = expression.replace(variable, example)
            yield expression


@pytest.mark.parametrize("expression", [*expressions()])
def test_the_dashboard_and_the_alerts_ask_for_metrics_and_labels_that_exist(
    expression: str,
) -> None:
    promql_parser.parse(expression)
    exported = series(snapshot())
    labels = {name: {label for label, _ in found} for name, found in exported}
    labels["up"] = {"job", "instance"}  # Prometheus' own, of what it scrapes
    used = re.findall(rf"({PREFIX}\w+|\bup\b)(?:{{([^}}]*)}})?", expression)
    assert used
    for name, selector in used:
        assert name in labels
        assert set(re.findall(r"(\w+)=", selector)) <= labels[name]
    for by in re.findall(r"\bby \(([^)]*)\)", expression):
        assert set(by.replace(" ", "").split(",")) <= set().union(*(labels[n] for n, _ in used))


def test_panels_lie_beside_each_other() -> None:
    cells = [
        (panel["gridPos"]["x"] + x, panel["gridPos"]["y"] + y)
        for panel in DASHBOARD["panels"]
        for x in range(panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["h"])
    ]
    assert len(cells) == len(set(cells))
    assert {x for x, _ in cells} <= set(range(24))

"""What the alerts of ``deploy/`` say, and, by Prometheus' own tool, when."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from live.metrics import STATES

FOLDER = Path(__file__).parents[2] / "deploy/prometheus"
RULES = yaml.safe_load((FOLDER / "alerts.yaml").read_text(encoding="utf-8"))["groups"][0]["rules"]
PROMTOOL = shutil.which("promtool")
# One sample a minute, for two hours.
VISITS, VISITS_NOTHING = "0+60x120", "5+0x120"
DIES_AT_30 = "0+60x30 stale"


def test_they_say_what_is_wrong_and_how_bad_it_is() -> None:
    for rule in RULES:
        assert rule["labels"]["severity"] in ("critical", "warning", "info")
        labels = "$labels.instance" if "up{" in rule["expr"] else "$labels.crawl"
        assert labels in rule["annotations"]["summary"]
    assert len({rule["alert"] for rule in RULES}) == len(RULES)


def test_the_page_is_scraped_under_the_name_that_an_alert_asks_for() -> None:
    config = yaml.safe_load((FOLDER / "prometheus.yaml").read_text(encoding="utf-8"))
    (scraped,) = config["scrape_configs"]
    (expression,) = [rule["expr"] for rule in RULES if "up{" in rule["expr"]]
    assert f'job="{scraped["job_name"]}"' in expression


def of_a_crawl(state: str, visits: str | None) -> dict[str, str]:
    """Series of two hours, in which no page is read to its end. visits: None if there were none."""
    found = {
        f'genre_crawler_state{{crawl="c",state="{one}"}}': f"{int(one == state)}+0x120"
        for one in STATES
    }
    found['genre_crawler_pages_total{crawl="c",worker="w",result="document"}'] = "0+0x120"
    if visits:
        found['genre_crawler_frontier_visits_total{crawl="c",outcome="held"}'] = visits
    return found


def of_fetches(errors: str, responses: str | None) -> dict[str, str]:
    """Series of two hours. responses: None if there was none."""
    found = {'genre_crawler_fetch_errors_total{crawl="c",worker="w",error="TimeoutError"}': errors}
    if responses:
        found['genre_crawler_responses_total{crawl="c",worker="w",status="200"}'] = responses
    return found


def verdict(series: dict[str, str], alert: str, folder: Path, *, fires: bool) -> str:
    """What promtool finds wrong if the alert has to be so after two hours; empty if nothing."""
    (rule,) = [one for one in RULES if one["alert"] == alert]
    own = {"crawl": "c"} if "up{" not in rule["expr"] else {"job": "crawls", "instance": "live"}
    summary = rule["annotations"]["summary"]
    for label, value in own.items():
        summary = summary.replace(f"{{{{ $labels.{label} }}}}", value)
    expected = {"exp_labels": {**rule["labels"], **own}, "exp_annotations": {"summary": summary}}
    case: dict[str, Any] = {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "alert_rule_test": [
            {"eval_time": "2h", "alertname": alert, "exp_alerts": [expected] if fires else []}
        ],
    }
    file = folder / "case.json"
    rules = [str(FOLDER / "alerts.yaml")]
    file.write_text(json.dumps({"rule_files": rules, "tests": [case]}), encoding="utf-8")
    done = subprocess.run(  # noqa: S603 - a tool that the machine has
        [str(PROMTOOL), "test", "rules", file], capture_output=True, text=True, check=False
    )
    return done.stderr if done.returncode else ""


@pytest.mark.skipif(PROMTOOL is None, reason="Prometheus' promtool is not installed")
@pytest.mark.parametrize(
    ("series", "alert", "fires"),
    [
        (of_a_crawl("running", VISITS), "CrawlStandsStill", False),
        (of_a_crawl("running", VISITS_NOTHING), "CrawlStandsStill", True),
        (of_a_crawl("idle", DIES_AT_30), "CrawlStandsStill", True),
        (of_a_crawl("idle", None), "CrawlStandsStill", True),
        (of_a_crawl("finished", DIES_AT_30), "CrawlStandsStill", False),
        (of_a_crawl("stopped", DIES_AT_30), "CrawlStandsStill", False),
        (of_a_crawl("paused", VISITS_NOTHING), "CrawlStandsStill", False),
        (of_fetches("0+2x120", "0+1x120"), "CrawlCannotFetch", True),
        (of_fetches("0+2x120", None), "CrawlCannotFetch", True),
        (of_fetches("0+1x120", "0+2x120"), "CrawlCannotFetch", False),
        (of_fetches("5+0x120", None), "CrawlCannotFetch", False),
        ({'up{job="crawls",instance="live"}': "1+0x60 0+0x60"}, "CrawlCannotBeWatched", True),
        ({'up{job="crawls",instance="live"}': "1+0x120"}, "CrawlCannotBeWatched", False),
    ],
)
def test_they_fire_when_they_should(
    series: dict[str, str], alert: str, fires: bool, tmp_path: Path
) -> None:
    assert verdict(series, alert, tmp_path, fires=fires) == ""

"""What a run leaves behind for people to look at, and what it takes from nobody."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from corpus_samples import document
from rich.console import Console
from scrapy.utils.test import get_crawler

from crawler.crawl.ending import Ending
from crawler.frontier import RunStats, Stats
from crawler.logs import VARIABLE, JsonFormatter
from pipelines.reporting.counts import Counts
from pipelines.reporting.end_of_run import report_run
from pipelines.reporting.sample_pages import PageSample
from settings import Job

BEGIN = datetime(2026, 5, 1, 12, tzinfo=UTC)
DONE = Stats(added=9, done=9, outcomes={"kept": 9})
JOB = Job.model_validate({"name": "a-job", "seeds": {"urls": ["http://localhost/"]}})


class Counted:
    """A frontier that knows some numbers, and nothing of the job is dead."""

    def __init__(self, stats: Stats, *, has_new_scope: bool = False) -> None:
        self._stats = stats
        self.has_new_scope = has_new_scope

    async def stats(self) -> Stats:
        return self._stats

    async def dead_letters(self, limit: int) -> list[Any]:
        return []

    async def dead_reasons(self) -> dict[str, int]:
        return {}


async def end_of_run(
    folder: Path,
    *titles: str,
    minute: int = 0,
    worker: str = "worker-1",
    shown: StringIO | None = None,
    frontier: Counted | None = None,
    crawling: bool = False,
) -> str:
    """The end of a run that has kept documents of these titles; what the terminal shows."""
    crawler, sample, shown = get_crawler(), PageSample(), shown or StringIO()
    crawler.crawling = crawling
    for number, title in enumerate(titles):
        made = document(number, title=title)
        Counts(crawler.stats).add(made, None)
        sample.add(made, None, None)
    started = BEGIN + timedelta(minutes=minute)
    crawl: Any = SimpleNamespace(
        job=JOB,
        folder=folder,
        worker=worker,
        started=started,
        now=lambda: started + timedelta(seconds=4),
        frontier=frontier or Counted(DONE),
        leases=SimpleNamespace(lost=0),
        is_stopped=False,
        decider=None,
        ending=Ending(),
    )
    await report_run(crawl, crawler, sample, Console(file=shown, width=100))
    return shown.getvalue()


def reports(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in sorted((folder / "reports").iterdir())}


def test_a_later_run_takes_nothing_from_the_report_of_an_earlier_one(tmp_path: Path) -> None:
    asyncio.run(end_of_run(tmp_path, "One", "Two"))
    asyncio.run(end_of_run(tmp_path, "Three", minute=1))
    latest = (tmp_path / "report.html").read_text()
    assert "Three" in latest
    first, second = reports(tmp_path).values()
    assert "One" in first
    assert "Two" in first
    assert second == latest
    assert list(reports(tmp_path)) == [
        "2026-05-01T120000Z-worker-1.html",
        "2026-05-01T120100Z-worker-1.html",
    ]


def test_a_run_without_a_page_leaves_the_report_as_it_is(tmp_path: Path) -> None:
    asyncio.run(end_of_run(tmp_path, "One"))
    before = (tmp_path / "report.html").read_text()
    shown = asyncio.run(end_of_run(tmp_path, minute=1))
    assert "(of an earlier run)" in shown
    assert (tmp_path / "report.html").read_text() == before
    assert len(reports(tmp_path)) == 1


def test_a_first_run_without_a_page_has_a_report_that_says_why(tmp_path: Path) -> None:
    shown = asyncio.run(end_of_run(tmp_path))
    assert "of an earlier run" not in shown
    assert "<h2>Whole job</h2>" in (tmp_path / "report.html").read_text()


def test_workers_that_end_at_one_moment_have_a_report_each(tmp_path: Path) -> None:
    workers = [f"worker-{number}" for number in range(8)]

    async def together() -> None:
        await asyncio.gather(*(end_of_run(tmp_path, name, worker=name) for name in workers))

    asyncio.run(together())
    found = reports(tmp_path)
    assert len(found) == len(workers)
    assert (tmp_path / "report.html").read_text() in found.values()


def test_a_worker_that_ends_for_another_scope_was_stopped_and_met_no_limit(tmp_path: Path) -> None:
    kept = {"kept": 6}
    left = Stats(added=9, done=6, queued=3, outcomes=kept, run=RunStats(outcomes=kept))

    def shown(frontier: Counted) -> str:
        return asyncio.run(end_of_run(tmp_path, "One", frontier=frontier, crawling=True))

    assert "finished: a limit reached with 3 URLs left" in shown(Counted(left))
    told = shown(Counted(left, has_new_scope=True))
    assert "stopped early with 3 URLs left: another worker has brought another scope" in told
    assert "run it again with the new job file" in told
    assert "the same command" not in told


class NoRoom(StringIO):
    """The terminal of somebody who has sent it to a full disk."""

    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")


def test_a_summary_that_nobody_can_read_takes_nothing_from_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with (tmp_path / "output").open("w") as output:
        # Its descriptor will lead nowhere.
        monkeypatch.setattr(sys, "stdout", output)
        asyncio.run(end_of_run(tmp_path, "One", shown=NoRoom()))
    assert "One" in (tmp_path / "report.html").read_text()
    why = "standard output: No space left on device"
    assert caplog.messages == [f"could not print the summary: {why}"]


def test_a_report_that_cannot_be_written_takes_nothing_from_the_summary(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "reports").touch()
    shown = asyncio.run(end_of_run(tmp_path, "One"))
    assert f"corpus  {tmp_path}/corpus" in shown
    (message,) = caplog.messages
    assert message.startswith("could not write the report: ")


def test_in_a_json_log_the_summary_is_fields_and_not_a_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(VARIABLE, "json")
    caplog.set_level(logging.INFO, logger="pipelines.reporting.end_of_run")
    asyncio.run(end_of_run(tmp_path, "One"))
    line = json.loads(JsonFormatter().format(caplog.records[-1]))
    assert line["corpus"] == f"{tmp_path}/corpus"
    assert line["report"] == f"{tmp_path}/report.html"
    assert line["this_run"]["documents"] == 1
    assert line["this_run"]["seconds"] == 4.0
    assert line["this_run"]["genres"] == {"unsure": 1}
    assert line["all_runs"]["documents"] == 9
    assert line["message"].startswith("stopped early")

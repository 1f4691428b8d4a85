"""What is told of a run at its end: its own numbers, those of its job, and how it ended."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

import pytest
from rich.console import Console
from run_samples import summary

from crawler.frontier.base import DeadLetter
from crawler.frontier.stats import RunStats, Stats
from crawler.frontier.visits import NOTHING
from pipelines.reporting.counts import groups_of
from pipelines.reporting.end_of_run import as_tables, closing_lines
from pipelines.reporting.report import report_html
from pipelines.reporting.sample_pages import PageSample
from pipelines.reporting.summary import limit_reached
from settings.tables.limits import Limits


def test_the_summary_tells_this_run_from_the_whole_job() -> None:
    console = Console(record=True, width=100, file=io.StringIO())
    stats = {"corpus/genre/article": 1, "corpus/reason/too-short": 1}
    outcomes = {"kept": 40, "rejected: too-short": 3, "rejected: empty": 6, "gone": 2}
    both = summary(
        documents=1,
        rejects=1,
        read=2,
        groups=groups_of(stats),
        frontier=Stats(added=60, outcomes=outcomes),
    )
    run, job = both.this_run(), both.whole_job()
    assert (run.numbers["documents"], run.numbers["rejects"]) == (1, 1)
    assert run.groups == {"genres": {"article": 1}, "reject_reasons": {"too-short": 1}}
    assert (job.numbers["documents"], job.numbers["rejects"], job.numbers["urls_known"]) == (
        40,
        9,
        60,
    )
    assert job.groups["outcomes"] == {"kept": 40, "rejected": 9, "gone": 2}
    assert job.groups["reject_reasons"] == {"empty": 6, "too-short": 3}
    console.print(as_tables(both))
    shown = " ".join(console.export_text().split())
    this_run, _, whole = shown.partition("a job: whole job")
    assert this_run.startswith("a job: this run documents 1")
    assert "pages/s 0.5" in this_run
    assert whole.startswith(" documents 40 rejects 9 URLs known 60")
    assert "visits by outcome reject reason kept 40" in whole
    html = report_html(both, PageSample())
    assert html.index("<h2>This run</h2>") < html.index("<h2>Whole job</h2>")


def test_what_seldom_happens_is_told_only_where_it_did() -> None:
    assert "screenshots not classified" not in summary().this_run().shown()
    shown = summary(unclassified=16, replaced=2).this_run().shown()
    assert shown["screenshots not classified"] == "16"
    assert shown["page workers replaced"] == "2"


def test_the_closing_lines_say_where_the_results_lie(tmp_path: Path) -> None:
    first = [
        "corpus  runs/a/corpus",
        "report  runs/a/report.html",
    ]
    assert closing_lines(summary()).splitlines()[1:] == first
    later = summary(documents=1, has_report=False, folder=tmp_path)
    without = [
        "corpus  runs/a/corpus",
        "counts  genre-crawler corpus stats runs/a/corpus",
    ]
    assert closing_lines(later).splitlines()[1:] == without
    later.report.touch()
    assert closing_lines(later).splitlines()[1:] == [
        *without,
        f"report  {tmp_path}/report.html (of an earlier run)",
    ]


def test_pages_that_wait_for_their_site_are_told() -> None:
    urls = Stats(added=9, done=6, queued=3, outcomes={"kept": 2, "held": 4})
    stopped = summary(frontier=urls, stopped=True, held=4)
    assert stopped.this_run().shown()["waiting for their site"] == "4"
    assert "3 URLs left and 4 pages that wait for their site" in stopped.final_status()
    assert "waiting for their site" not in summary().this_run().shown()


def test_a_finished_run_tells_of_pages_that_other_workers_hold() -> None:
    run = RunStats(outcomes={"kept": 2}, has_leased=True)
    urls = Stats(added=6, done=6, outcomes={"kept": 2, "held": 4}, run=run)
    said = summary(frontier=urls).final_status()
    assert said.startswith("finished: every URL is done or dead; 4 pages wait for their site with")
    assert "run the same command again where they ran, or merge the corpora" in said
    left = Stats(added=9, done=6, queued=3, outcomes={"kept": 2, "held": 4}, run=run)
    assert "with 3 URLs left; 4 pages wait" in summary(frontier=left).final_status()
    assert "other workers" not in summary(frontier=left, stopped=True).final_status()


def test_the_summary_says_how_the_run_ended() -> None:
    run = RunStats(outcomes={"kept": 2}, has_leased=True)
    done, left = Stats(added=2, done=2, run=run), Stats(added=5, done=2, queued=3, run=run)
    assert summary(frontier=done).final_status() == "finished: every URL is done or dead"
    assert summary(frontier=left).final_status() == "finished: a limit reached with 3 URLs left"
    assert "stopped early with 3 URLs left" in summary(frontier=left, stopped=True).final_status()
    assert "stopped for all workers with 3 URLs left" in (
        summary(frontier=left, job_stopped=True).final_status()
    )
    assert "ended early: no room" in summary(frontier=left, failure="no room").final_status()


@pytest.mark.parametrize(
    ("limits", "pages", "named"),
    [
        (Limits(pages=5), 5, "limits.pages = 5"),
        (Limits(pages=5, pages_per_host=3), 5, "limits.pages = 5"),
        (Limits(pages=5, pages_per_host=3), 4, "limits.pages_per_host = 3"),
        (Limits(total_time="90s"), 4, 'limits.total_time = "1min30s"'),
        (Limits(total_time="91s"), 4, None),
        (Limits(total_size="1 MB"), 4, 'limits.total_size = "1 MB"'),
        (Limits(pages=5, total_size="1 MB"), 4, 'limits.total_size = "1 MB"'),
        (Limits(total_size="2 MB"), 4, None),
    ],
)
def test_the_limit_that_ends_a_run_is_named_as_the_job_file_has_it(
    limits: Limits, pages: int, named: str | None
) -> None:
    # Earlier runs have had more pages, and received more, than any of the limits.
    run = RunStats(pages, received=10**6, outcomes={"kept": pages})
    before = {"received": 10**9, "outcomes": {"kept": 10**6}}
    urls = Stats(added=99, done=83, queued=16, run=run, **before)
    limit = limit_reached(limits, urls, 90.1)
    assert limit == named
    said = summary(frontier=urls, limit=limit).final_status()
    assert said == f"finished: {named or 'a limit'} reached with 16 URLs left"


def tried(outcomes: Mapping[str, int] = NOTHING) -> RunStats:
    """A run that has visited URLs."""
    return RunStats(outcomes=outcomes, has_leased=True)


@pytest.mark.parametrize(
    ("urls", "said", "unsaid"),
    [
        (
            Stats(added=2, dead=2, run=tried()),
            "2 are dead: `genre-crawler frontier stats` shows why",
            "private",
        ),
        (
            Stats(added=2, done=2, run=tried({"private-address": 2})),
            "2 point into a private",
            "retry",
        ),
        (
            Stats(added=3, done=1, dead=2, run=tried({"private-address": 1})),
            "1 point into a private network, where connections are refused; 2 are dead",
            "no seed",
        ),
        (Stats(), "none of the seeds could be used, see the log", "retry"),
        (Stats(added=2, queued=2), "2 were left when limits.pages = 5 was reached", "retry"),
        (Stats(added=2, purged=2, run=tried()), "2 were dead and have been purged", "retry"),
        # What earlier runs have fetched does not count.
        (
            Stats(added=9, done=9, outcomes={"kept": 9}, run=tried({"failed: timeout": 4})),
            "4 have failed, and will be visited again when they are due",
            "retry",
        ),
    ],
)
def test_what_is_said_of_a_run_without_a_page_is_true(urls: Stats, said: str, unsaid: str) -> None:
    words = summary(frontier=urls, limit="limits.pages = 5").final_status()
    assert words.startswith("no URL could be fetched: ")
    assert said in words
    assert unsaid not in words


def test_a_run_to_which_nothing_was_due_is_no_failure() -> None:
    urls = Stats(added=9, done=7, dead=2, outcomes={"kept": 7})
    assert summary(frontier=urls).final_status() == "finished: every URL is done or dead"


def test_all_given_up_urls_are_counted_and_the_first_listed() -> None:
    dead = tuple(DeadLetter(number, "", "", 0, 1, "timeout", 0.0) for number in range(2))
    both = summary(dead=dead, dead_reasons={"http-503": 1, "timeout": 300})
    assert both.whole_job().groups["dead_reasons"] == {"timeout": 300, "http-503": 1}

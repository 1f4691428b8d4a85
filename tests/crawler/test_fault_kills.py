"""Killed at random moments, the real program loses nothing: a short version of
``python -m benchmarks faults``, with the same seeded moments in every run.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from frontier_audit import audit

from benchmarks.fault_crawl import FaultCrawl
from benchmarks.fault_site import FaultSite, library
from benchmarks.faults.audit import Left
from benchmarks.faults.trials import Part, Trial, killed_crawler, killed_parts, undisturbed
from crawler.rendering.provider import system_browser

pytestmark = [pytest.mark.timeout(600), pytest.mark.usefixtures("loaded_crawls")]

PAGES = 60
RENDERED = 12
LATENCY = 0.03


@pytest.fixture(scope="module")
def site() -> Iterator[FaultSite]:
    with FaultSite(library(PAGES), latency=LATENCY) as server:
        yield server


@pytest.fixture(scope="module")
def whole(site: FaultSite, tmp_path_factory: pytest.TempPathFactory) -> tuple[Left, float]:
    """What an undisturbed crawl leaves, and the seconds from its first to its last request."""
    return undisturbed(FaultCrawl(tmp_path_factory.mktemp("whole"), site.base, processes=1), site)


def chance() -> random.Random:
    return random.Random(4)


def nothing_is_lost(trial: Trial, crawl: FaultCrawl) -> None:
    assert trial.problems == [], f"struck at {trial.moments} s"
    assert trial.moments
    audit(sqlite3.connect(crawl.output / "frontier.sqlite"))


def test_an_undisturbed_crawl_has_every_page(whole: tuple[Left, float]) -> None:
    left, _ = whole
    lists = -(-PAGES // 25)
    kept = PAGES - PAGES // 10 + lists + len(["/", "/page/new", "/busy"])
    assert left.stats.outcomes == {
        "kept": kept,
        "rejected: too-short": PAGES // 10,
        "redirected": 1,
        "not-found": 1,
    }
    assert list(left.dead.values()) == ["http-500"]
    assert (len(left.documents), left.repeats) == (kept, 0)


@pytest.mark.parametrize(("group", "kills"), [(False, 2), (True, 1)])
def test_killed_and_started_again_it_has_every_page(
    group: bool, kills: int, site: FaultSite, whole: tuple[Left, float], tmp_path: Path
) -> None:
    left, seconds = whole
    crawl = FaultCrawl(tmp_path, site.base)
    trial = killed_crawler(
        crawl, site, left, chance(), kills=kills, seconds=seconds / 2, group=group
    )
    nothing_is_lost(trial, crawl)


@pytest.mark.usefixtures("fresh_workers")
@pytest.mark.parametrize("part", [Part.PAGE_WORKER, Part.WORKER_SERVER])
def test_a_page_whose_worker_is_killed_is_read_by_another(
    part: Part, site: FaultSite, whole: tuple[Left, float], tmp_path: Path
) -> None:
    crawl = FaultCrawl(tmp_path, site.base)
    trial = killed_parts(crawl, site, whole[0], chance(), part, kills=1)
    nothing_is_lost(trial, crawl)


@pytest.mark.timeout(300)
@pytest.mark.skipif(system_browser() is None, reason="no Chromium found")
def test_a_browser_that_is_killed_costs_no_page_and_leaves_no_files(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path_factory.mktemp("temporary")
    monkeypatch.setenv("TMPDIR", str(temporary))
    answers = library(RENDERED)
    # With so many tries it would be waited for longer than all else takes.
    del answers["/broken"]
    with FaultSite(answers, latency=LATENCY) as site:
        first = tmp_path_factory.mktemp("rendered")
        left, _ = undisturbed(FaultCrawl(first, site.base, rendering="always", processes=1), site)
        assert len(left.pictures) == len(left.documents) + len(left.rejects)
        crawl = FaultCrawl(tmp_path, site.base, rendering="always", tries=5, processes=1)
        trial = killed_parts(crawl, site, left, chance(), Part.BROWSER, kills=2, pause=2)
        nothing_is_lost(trial, crawl)
        assert len(trial.moments) == 2
    assert not list(temporary.iterdir())

"""A full disk: the crawl ends in order, says which file, and goes on when there is room again."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.fault_crawl import FaultCrawl
from benchmarks.fault_site import FaultSite, library
from benchmarks.faults.audit import Left, complaints, left_of, losses
from benchmarks.faults.trials import filled_disk, small_disk, undisturbed
from crawler.exit_codes import ExitCode

pytestmark = [pytest.mark.timeout(600), pytest.mark.usefixtures("loaded_crawls")]


@pytest.fixture(scope="module")
def site() -> Iterator[FaultSite]:
    with FaultSite(library(60), latency=0.03) as server:
        yield server


@pytest.fixture(scope="module")
def whole(site: FaultSite, tmp_path_factory: pytest.TempPathFactory) -> Left:
    return undisturbed(FaultCrawl(tmp_path_factory.mktemp("whole"), site.base, processes=1), site)[
        0
    ]


@pytest.fixture
def disk() -> Iterator[Path]:
    try:
        with small_disk("64m") as folder:
            yield folder
    except PermissionError as error:
        pytest.skip(str(error))


def test_a_disk_that_fills_at_a_random_moment_loses_nothing(
    site: FaultSite, whole: Left, disk: Path, tmp_path: Path
) -> None:
    crawl = FaultCrawl(tmp_path, site.base, place=disk / "job", processes=1)
    chance = random.Random(2)
    trial = filled_disk(crawl, site, whole, chance, seconds=1)
    assert trial.problems == [], f"filled after {trial.moments} s"
    assert trial.moments


@pytest.mark.usefixtures("fresh_workers")
def test_files_that_may_not_grow_end_the_crawl_and_lose_nothing(
    site: FaultSite, whole: Left, tmp_path: Path
) -> None:
    """As a quota does it; needs no rights, and meets each file in its turn."""
    site.forget()
    crawl = FaultCrawl(tmp_path, site.base, processes=1)
    ended = crawl.start()
    # Its page worker is there, and so not limited.
    while not ended.page_workers() or len(site.asked) < 5:
        assert ended.sleep(0.02), ended.errors
    ended.limit_files(50_000)
    assert ended.wait() == ExitCode.STORAGE, ended.errors
    assert "start again" in ended.errors
    assert "Traceback" not in ended.errors
    assert crawl.finish().process.returncode == ExitCode.FINISHED
    left = left_of(crawl, site.urls())
    assert [*complaints(left), *losses(left, whole)] == []


def test_a_corpus_that_nobody_can_write_is_told_before_anything_is_fetched(
    site: FaultSite, tmp_path: Path
) -> None:
    site.forget()
    crawl = FaultCrawl(tmp_path, site.base)
    crawl.output.mkdir()
    crawl.corpus.write_text("A file where the folder should be.")
    ended = crawl.finish()
    assert ended.process.returncode == ExitCode.STORAGE
    assert str(crawl.corpus) in ended.errors
    assert site.asked == []
    shutil.rmtree(crawl.output)

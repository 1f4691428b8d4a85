"""SIGTERM, Ctrl-C twice, and two crawls of one job at once, with the whole pipeline at work."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.faults.audit import Left, complaints, left_of, losses
from benchmarks.faults.crawl import FaultCrawl, Run
from benchmarks.faults.site import FaultSite, library
from benchmarks.faults.trials import undisturbed
from crawler.exit_codes import ExitCode

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def site() -> Iterator[FaultSite]:
    with FaultSite(library(40), latency=0.05) as server:
        yield server


@pytest.fixture(scope="module")
def whole(site: FaultSite, tmp_path_factory: pytest.TempPathFactory) -> Left:
    return undisturbed(FaultCrawl(tmp_path_factory.mktemp("whole"), site.base), site)[0]


def wait_for_requests(run: Run, site: FaultSite, number: int) -> None:
    while len(site.asked) < number and run.sleep(0.02):
        pass
    assert not run.is_over, run.errors


def wait_for_words(run: Run, words: str) -> None:
    while words not in run.errors and run.sleep(0.02):
        pass
    assert not run.is_over, run.errors


@contextmanager
def stalling(site: FaultSite) -> Iterator[None]:
    """Within, no page is answered."""
    latency, site.latency = site.latency, 300.0
    try:
        yield
    finally:
        site.latency = latency


def nothing_is_lost(crawl: FaultCrawl, site: FaultSite, whole: Left) -> None:
    left = left_of(crawl, site.urls())
    assert [*complaints(left), *losses(left, whole)] == []


def test_sigterm_finishes_what_is_in_work(site: FaultSite, whole: Left, tmp_path: Path) -> None:
    site.forget()
    crawl = FaultCrawl(tmp_path, site.base)
    run = crawl.start()
    wait_for_requests(run, site, 8)
    run.send(signal.SIGTERM)
    assert run.wait() == ExitCode.STOPPED
    assert "Traceback" not in run.errors
    assert crawl.finish().process.returncode == ExitCode.FINISHED
    nothing_is_lost(crawl, site, whole)
    left = left_of(crawl, site.urls())
    assert left.repeats == 0


def test_ctrl_c_twice_ends_at_once_and_leaves_no_process(
    site: FaultSite, whole: Left, tmp_path: Path
) -> None:
    site.forget()
    crawl = FaultCrawl(tmp_path, site.base, page_time="2min")
    run = crawl.start()
    wait_for_requests(run, site, 8)
    with stalling(site):
        wait_for_requests(run, site, len(site.asked) + 1)
        family = run.family()
        assert len(family) > 1
        run.send(signal.SIGINT)
        wait_for_words(run, "Received SIGINT")
        run.send(signal.SIGINT)
        # An orderly stop waits for the pages in work, up to two minutes.
        assert run.wait(30) == ExitCode.KILLED
    assert run.outlived(family) == []
    assert crawl.finish().process.returncode == ExitCode.FINISHED
    nothing_is_lost(crawl, site, whole)


@pytest.mark.parametrize("at_once", [True, False])
def test_of_two_crawls_of_one_job_one_works(
    at_once: bool, site: FaultSite, whole: Left, tmp_path: Path
) -> None:
    site.forget()
    crawl = FaultCrawl(tmp_path, site.base)
    first = crawl.start()
    if not at_once:
        wait_for_requests(first, site, 1)
    second = crawl.start(errors="other.txt")
    codes = [first.wait(), second.wait()]
    assert sorted(codes) == [ExitCode.FINISHED, ExitCode.IN_USE]
    if not at_once:
        assert codes == [ExitCode.FINISHED, ExitCode.IN_USE]
        assert second.errors.startswith(f"another crawl (process {first.process.pid})")
        assert second.errors.count("\n") == 1
    nothing_is_lost(crawl, site, whole)

"""SIGTERM, Ctrl-C twice, and two crawls of one job at once, with the whole pipeline at work."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fleet_worker import ended, job_of_pages, wait_for_pages, worker
from redis_process import RedisProcess, needs_redis
from scrapy_command import scrapy
from small_web import Web

from benchmarks.fault_crawl import FaultCrawl, Run
from benchmarks.fault_site import FaultSite, library
from benchmarks.faults.audit import Left, complaints, left_of, losses
from benchmarks.faults.trials import undisturbed
from corpus_commons.file_lock import FileLock
from crawler.commands.startup import NOT_BEGUN
from crawler.exit_codes import ExitCode
from pipelines.corpus.layout import Layout

pytestmark = [pytest.mark.timeout(300), pytest.mark.usefixtures("loaded_crawls")]


@pytest.fixture(scope="module")
def site() -> Iterator[FaultSite]:
    with FaultSite(library(40), latency=0.05) as server:
        yield server


@pytest.fixture(scope="module")
def whole(site: FaultSite, tmp_path_factory: pytest.TempPathFactory) -> Left:
    return undisturbed(FaultCrawl(tmp_path_factory.mktemp("whole"), site.base, processes=1), site)[
        0
    ]


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
    crawl = FaultCrawl(tmp_path, site.base, processes=1)
    run = crawl.start()
    wait_for_requests(run, site, 8)
    run.send(signal.SIGTERM)
    assert run.wait() == ExitCode.STOPPED
    assert "Traceback" not in run.errors
    assert crawl.finish().process.returncode == ExitCode.FINISHED
    nothing_is_lost(crawl, site, whole)
    left = left_of(crawl, site.urls())
    assert left.repeats == 0


def test_a_terminal_that_closes_is_as_sigterm_although_it_tells_all_processes_twice(
    site: FaultSite, whole: Left, tmp_path: Path
) -> None:
    site.forget()
    crawl = FaultCrawl(tmp_path, site.base, processes=1)
    run = crawl.start()
    wait_for_requests(run, site, 8)
    for _ in range(2):
        os.killpg(run.process.pid, signal.SIGHUP)
    assert run.wait() == ExitCode.STOPPED, run.errors
    assert crawl.finish().process.returncode == ExitCode.FINISHED
    nothing_is_lost(crawl, site, whole)


def test_sigterm_ends_a_crawl_that_has_not_begun(site: FaultSite, tmp_path: Path) -> None:
    site.forget()
    run = FaultCrawl(tmp_path, site.base).start()
    wait_for_words(run, "loading the models")
    family = run.family()
    run.send(signal.SIGTERM)
    assert run.wait() == ExitCode.STOPPED, run.errors
    assert "Traceback" not in run.errors
    assert NOT_BEGUN in run.errors
    assert run.outlived(family) == []


# Starts slowly the process of which page workers are forks: a file tells when it is there.
SLOW_START = """
import multiprocessing.util, pathlib, time
spawn = multiprocessing.util.spawnv_passfds
def slow(path, args, files):
    process = spawn(path, args, files)
    if any("multiprocessing.forkserver" in str(word) for word in args):
        pathlib.Path({!r}).touch()
        time.sleep(1)
    return process
multiprocessing.util.spawnv_passfds = slow
"""


@pytest.mark.usefixtures("fresh_crawls")
def test_sigterm_while_a_process_is_started_ends_it_without_a_word(
    site: FaultSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spawned = tmp_path / "spawned"
    (tmp_path / "sitecustomize.py").write_text(SLOW_START.format(str(spawned)))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    run = FaultCrawl(tmp_path, site.base).start()
    while not spawned.exists() and run.sleep(0.02):
        pass
    family = run.family()
    run.send(signal.SIGTERM)
    assert run.wait() == ExitCode.STOPPED, run.errors
    assert run.outlived(family) == []
    assert "Traceback" not in run.errors


def test_sigterm_ends_a_worker_whose_redis_is_away(tmp_path: Path) -> None:
    needs_redis()
    with Web() as web, RedisProcess(tmp_path) as server:
        process = worker(job_of_pages(tmp_path, web), "-s", f"FRONTIER={server.url}")
        wait_for_pages(web, process)
        server.stop()
        process.send_signal(signal.SIGTERM)
        code, errors = ended(process)
    assert (code, "Traceback" in errors) == (ExitCode.STORAGE, False), errors
    assert "could not give back leases" in errors


def test_ctrl_c_twice_ends_at_once_and_leaves_no_process(
    site: FaultSite, whole: Left, tmp_path: Path
) -> None:
    site.forget()
    crawl = FaultCrawl(tmp_path, site.base, page_time="2min", processes=1)
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


def test_of_two_crawls_with_one_name_in_a_corpus_one_works(site: FaultSite, tmp_path: Path) -> None:
    job = tmp_path / "job.toml"
    folder = tmp_path / "o"
    job.write_text(f'name = "x"\nseeds.urls = ["{site.base}/"]\noutputs.folder = "{folder}"\n')
    lock = Layout(folder / "corpus", "w").lock
    lock.parent.mkdir(parents=True)
    with FileLock(lock):
        done = scrapy("crawl", "corpus", "-a", f"job={job}", "-a", "worker=w")
    assert done.returncode == ExitCode.IN_USE
    assert "choose another worker name" in done.stderr


@pytest.mark.parametrize("at_once", [True, False])
def test_of_two_crawls_of_one_job_one_works(
    at_once: bool, site: FaultSite, whole: Left, tmp_path: Path
) -> None:
    site.forget()
    crawl = FaultCrawl(tmp_path, site.base, processes=1)
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

"""The embedded frontier: the contract, and what only a file can go through."""

# ruff: noqa: S603

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from blocking_frontier import EAGER, POLITE, Blocking, Clock, Make, accounted, pages
from frontier_audit import audit
from frontier_contract import FrontierContract

from crawler.frontier import (
    Ack,
    Candidate,
    FrontierError,
    FrontierFullError,
    FrontierLockedError,
    FrontierVersionError,
    Policy,
    SqliteFrontier,
)
from crawler.frontier.sqlite.file import steady_clock


@pytest.fixture
def make(tmp_path: Path, clock: Clock, runner: asyncio.Runner) -> Iterator[Make]:
    made: list[Blocking] = []

    def make(policy: Policy) -> Blocking:
        opened = SqliteFrontier.open(tmp_path, policy, clock=clock, rng=random.Random(1))
        made.append(Blocking(runner.run(opened), runner))
        return made[-1]

    yield make
    for frontier in made:
        frontier.close()
    if made:  # whatever the test did, the file's counters say what its rows say
        with closing(sqlite3.connect(tmp_path / "frontier.sqlite")) as db:
            audit(db)


class TestContract(FrontierContract):
    """The embedded frontier keeps the contract."""


class TestOpeningAgain:
    def test_everything_is_as_it_was(self, make: Make, clock: Clock) -> None:
        frontier = make(EAGER)
        frontier.add_urls(*pages("a.test", 5))
        done, failed, given_back = frontier.lease(3)
        frontier.ack(done, "kept")
        frontier.release(failed, reason="timeout")
        before = frontier.stats()
        frontier.close()
        frontier.close()

        frontier = make(EAGER)
        assert frontier.stats().leased == 0
        assert frontier.stats().queued == before.queued + before.leased
        assert frontier.stats().outcomes == {"kept": 1}
        assert not frontier.add_urls(*pages("a.test", 5))
        clock.pass_(100)
        leases = {lease.url: lease for lease in frontier.lease(9)}
        assert len(leases) == 4
        assert leases[given_back.url].attempt == 1
        assert leases[failed.url].attempt == 2
        assert min(lease.token for lease in leases.values()) > given_back.token

    def test_hosts_keep_their_delays(self, make: Make, clock: Clock) -> None:
        frontier = make(EAGER)
        frontier.add_urls("http://a.test/")
        frontier.delay_host("a.test", 100)
        frontier.close()
        frontier = make(EAGER)
        assert frontier.lease_in() == pytest.approx(100)

    @pytest.mark.parametrize(
        "policy",
        [
            Policy(delay=100, longest_backoff=1, longest_delay=1),
            Policy(delay=0, first_backoff=200, longest_backoff=200, longest_delay=1),
            Policy(delay=0, longest_backoff=1, longest_delay=100),
        ],
        ids=["delay", "backoff", "Retry-After"],
    )
    def test_no_wait_is_shorter_for_it(self, make: Make, clock: Clock, policy: Policy) -> None:
        frontier = make(policy)
        frontier.add_urls("http://a.test/")
        frontier.release(frontier.lease(1)[0], reason="timeout")
        frontier.delay_host("a.test", 100)
        frontier.close()
        frontier = make(policy)
        clock.pass_(99)
        assert frontier.lease(1) == []
        clock.pass_(101)
        assert len(frontier.lease(1)) == 1

    def test_a_job_with_higher_limits_goes_on(self, make: Make) -> None:
        frontier = make(Policy(delay=0, pages_per_host=1))
        frontier.add_urls(*pages("a.test", 3))
        frontier.ack(frontier.lease(1)[0], "kept", page=True)
        assert frontier.finished()
        frontier.close()
        frontier = make(Policy(delay=0, pages_per_host=2))
        assert not frontier.finished()
        assert len(frontier.lease(9)) == 1

    def test_what_was_received_counts_in_all_runs(self, make: Make) -> None:
        for run in (1, 2):
            frontier = make(Policy(total_size=100))
            frontier.add_urls(*pages("a.test", 3))
            assert not frontier.finished()
            frontier.count_received(50)
            assert frontier.stats().received == 50 * run
            frontier.close()
        frontier = make(Policy(total_size=100))
        assert frontier.finished()
        frontier.close()
        assert not make(Policy(total_size=101)).finished()

    def test_what_waits_goes_back_with_the_clock(
        self, make: Make, clock: Clock, caplog: pytest.LogCaptureFixture
    ) -> None:
        frontier = make(EAGER)
        frontier.add_urls(*pages("a.test", 2))
        frontier.release(frontier.lease(1)[0], reason="timeout")
        frontier.delay_host("a.test", 20)
        frontier.close()
        clock.pass_(-1e7)
        frontier = make(EAGER)
        assert "the clock is 10,000,000 s earlier" in caplog.text
        clock.pass_(19)
        assert frontier.lease(9) == []
        clock.pass_(1)
        assert len(frontier.lease(9)) == 2


class TestTime:
    @pytest.mark.parametrize("step", [1e6, -86_400.0])
    def test_a_crawl_does_not_mind_that_the_clock_is_set(
        self,
        tmp_path: Path,
        runner: asyncio.Runner,
        monkeypatch: pytest.MonkeyPatch,
        step: float,
    ) -> None:
        wall = 1_800_000_000.0
        monkeypatch.setattr(time, "time", lambda: wall)
        frontier = Blocking(runner.run(SqliteFrontier.open(tmp_path, POLITE)), runner)
        frontier.add_urls(*pages("a.test", 2), *pages("b.test", 1))
        held = frontier.lease(2)
        assert held[0].deadline == pytest.approx(wall + POLITE.lease_seconds, abs=60)
        frontier.fetched(held)
        wall += step
        assert frontier.lease(9) == []
        assert 0 < frontier.lease_in() <= POLITE.delay
        assert frontier.ack_all([Ack(lease, "kept") for lease in held]) == []
        frontier.close()

    def test_the_frontiers_clock_goes_on_evenly(self, monkeypatch: pytest.MonkeyPatch) -> None:
        wall, up = 1_800_000_000.0, 50.0
        monkeypatch.setattr(time, "time", lambda: wall)
        monkeypatch.setattr(time, "monotonic", lambda: up)
        clock = steady_clock()
        assert clock() == wall
        wall, up = 0.0, 60.0
        assert clock() == 1_800_000_010.0


class TestFile:
    def test_a_second_crawl_in_the_folder_is_refused(self, make: Make, tmp_path: Path) -> None:
        make(EAGER)
        with pytest.raises(FrontierLockedError, match="another crawl"):
            make(EAGER)
        with pytest.raises(FrontierLockedError, match=r"another crawl \(process \d+\) runs in"):
            _raise_of_child(tmp_path)

    def test_who_only_looks_does_not_wait_for_a_writer(self, make: Make, tmp_path: Path) -> None:
        frontier = make(EAGER)
        frontier.add_urls(*pages("a.test", 1))
        with closing(sqlite3.connect(tmp_path / "frontier.sqlite", isolation_level=None)) as db:
            db.execute("BEGIN IMMEDIATE")
            began = time.monotonic()
            assert (frontier.finished(), frontier.lease_in()) == (False, 0)
            assert time.monotonic() - began < 5

    def test_the_folder_is_free_after_a_failed_opening(self, make: Make, tmp_path: Path) -> None:
        (tmp_path / "frontier.sqlite").write_bytes(b"This is no database." * 100)
        for _ in range(2):
            with pytest.raises(FrontierError, match="damaged or not a frontier"):
                make(EAGER)

    def test_a_file_of_another_version_is_refused_and_kept(
        self, make: Make, tmp_path: Path
    ) -> None:
        make(EAGER).close()
        with closing(sqlite3.connect(tmp_path / "frontier.sqlite")) as db:
            db.execute("PRAGMA user_version = 99")
        with pytest.raises(FrontierVersionError, match="version 99, but this crawler needs 6"):
            make(EAGER)

    def test_a_file_that_is_no_frontier_is_refused(self, make: Make, tmp_path: Path) -> None:
        with closing(sqlite3.connect(tmp_path / "frontier.sqlite")) as db:
            db.execute("CREATE TABLE diary (day TEXT)")
        with pytest.raises(FrontierError, match="not a frontier"):
            make(EAGER)

    def test_on_a_full_disk_nothing_is_lost(self, make: Make) -> None:
        frontier = make(EAGER)
        frontier.add_urls(*pages("a.test", 50))
        (lease,) = frontier.lease(1)
        db = frontier.frontier.db
        (size,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {size}")
        before = frontier.stats()
        with pytest.raises(FrontierFullError, match="disk is full"):
            frontier.add([Candidate(f"http://a.test/{number:0500}") for number in range(500)])
        assert frontier.stats() == before
        assert frontier.ack(lease, "kept")
        db.execute("PRAGMA max_page_count = 1000000")
        added = frontier.add([Candidate(f"http://a.test/{number:0500}") for number in range(500)])
        assert added == 500
        assert accounted(frontier.stats())


class TestAttached:
    def test_a_running_crawl_is_looked_into_and_steered(
        self, make: Make, tmp_path: Path, runner: asyncio.Runner
    ) -> None:
        frontier = make(Policy(delay=0, visits_per_host=9, tries=1))
        frontier.add_urls(*pages("a.test", 3))
        for lease in frontier.lease(3)[:2]:
            frontier.release(lease, reason="gone")
        attached = Blocking(runner.run(SqliteFrontier.attach(tmp_path)), runner)
        assert attached.stats() == frontier.stats()
        assert attached.retry_dead() == 2
        with pytest.raises(FrontierError, match="only attached"):
            attached.lease(1)
        attached.close()
        assert frontier.stats().leased == 1
        assert len(frontier.lease(9)) == 2

    def test_there_must_be_a_frontier(self, tmp_path: Path, runner: asyncio.Runner) -> None:
        with pytest.raises(FrontierError, match="no crawl has run there"):
            runner.run(SqliteFrontier.attach(tmp_path))


_OPENER = """
import asyncio, sys
from pathlib import Path
from crawler.frontier import FrontierLockedError, SqliteFrontier
try:
    asyncio.run(SqliteFrontier.open(Path(sys.argv[1])))
except FrontierLockedError as error:
    print(error)
"""


def _raise_of_child(folder: Path) -> None:
    """Raise what another process gets that opens the folder."""
    command = [sys.executable, "-c", _OPENER, str(folder)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if said:
        raise FrontierLockedError(said)


_FORKER = """
import asyncio, os, sys, time
from pathlib import Path
from crawler.frontier import SqliteFrontier
frontier = asyncio.run(SqliteFrontier.open(Path(sys.argv[1])))
if not os.fork():
    print(os.getpid(), flush=True)
time.sleep(60)
"""


def test_children_of_a_killed_crawl_do_not_keep_the_folder(make: Make, tmp_path: Path) -> None:
    command = [sys.executable, "-c", _FORKER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as crawl:
        assert crawl.stdout
        child = int(crawl.stdout.readline())
        crawl.kill()
        crawl.wait()
        try:
            make(EAGER).add_urls("http://a.test/")
        finally:
            os.kill(child, signal.SIGKILL)

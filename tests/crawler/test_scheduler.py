"""Schedulers as processes, whose crawls note what becomes of them."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from noted_jobs import NotedJob, log_until, scheduler, stopped, wait_until
from redis import Redis
from redis_process import RedisProcess

from crawler.exit_codes import InUseError
from crawler.schedule.runs import Pace

Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a scheduler, which does not outlive the test."""
    started: list[subprocess.Popen[str]] = []

    def begin(*paths: Path) -> subprocess.Popen[str]:
        started.append(scheduler(*paths))
        return started[-1]

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def test_a_job_runs_when_it_is_due_paused_or_asked_for(tmp_path: Path, start: Start) -> None:
    job = NotedJob(tmp_path, 'every = "1h"')
    process = start(job.path)
    wait_until(lambda: job.notes() == ["begin", "end"])
    job.ends_with(6)
    job.write('every = "1s"')  # noticed, without a restart
    wait_until(lambda: len(job.notes()) >= 4)

    async def steer(*, paused: bool | None = None) -> None:
        async with job.runs() as runs:
            await (runs.ask() if paused is None else runs.pause(paused=paused))

    asyncio.run(steer(paused=True))
    log = log_until(process, "noted: is paused")
    had = len(job.notes())
    time.sleep(1.2)
    assert len(job.notes()) == had
    asyncio.run(steer())
    wait_until(lambda: len(job.notes()) == had + 2)
    assert stopped(process)[0] == 0
    assert "noted: run 1 ended: exit code 0" in log
    assert "exit code 6, no URL could be fetched" in log


def test_a_run_at_once_is_the_schedulers_if_there_is_one(tmp_path: Path, start: Start) -> None:
    job = NotedJob(tmp_path, "")
    job.ends_with(6)
    assert job.run_now() == 6
    job.takes(30)
    process = start(job.path)
    assert job.run_now(Pace(look=5)) is None
    wait_until(lambda: job.notes() == ["begin", "end", "begin"])
    with pytest.raises(InUseError, match="noted: it runs already; wait until it ends"):
        job.run_now()
    stopped(process)


def test_a_broken_job_file_is_told_of_and_the_others_go_on(tmp_path: Path, start: Start) -> None:
    (tmp_path / "jobs").mkdir()
    job = NotedJob(tmp_path / "jobs", 'every = "1h"')
    broken = tmp_path / "jobs" / "broken.toml"
    broken.write_text("name = 5\n")
    process = start(tmp_path / "jobs")
    wait_until(lambda: job.notes() == ["begin", "end"])
    late = NotedJob(tmp_path, 'every = "1h"')
    late.path.rename(broken)  # mended
    late.path = broken
    wait_until(lambda: late.notes() == ["begin", "end"])
    _, log = stopped(process)
    assert log.count("broken.toml:1: name is 5") == 1


def test_a_folder_without_job_files_is_told_of_and_waited_for(tmp_path: Path, start: Start) -> None:
    process = start(tmp_path)
    log_until(process, f"no job files yet (*.toml): {tmp_path}")
    job = NotedJob(tmp_path, 'every = "1h"')
    wait_until(lambda: "begin" in job.notes())
    assert stopped(process)[0] == 0


def test_a_terminal_that_closes_stops_it_with_its_crawls(tmp_path: Path, start: Start) -> None:
    job = NotedJob(tmp_path, 'every = "1h"')
    job.takes(30)
    process = start(job.path)
    wait_until(lambda: job.notes() == ["begin"])
    assert stopped(process, by=signal.SIGHUP)[0] == 0
    assert job.notes() == ["begin", "stopped"]


def test_files_of_one_job_are_named_once_and_hidden_ones_are_left_out(
    tmp_path: Path, start: Start
) -> None:
    job = NotedJob(tmp_path, 'every = "1h"')
    copy, hidden = tmp_path / "copy.toml", tmp_path / ".hidden.toml"
    copy.write_text(job.path.read_text())
    hidden.write_text("name = 5\n")
    process = start(tmp_path)
    log = log_until(process, "are one job")
    wait_until(lambda: bool(job.notes()) or Path(f"{copy}.notes").exists())
    log += stopped(process)[1]
    assert log.count(f"{copy} and {job.path} are one job; give one of them another name") == 1
    assert "hidden" not in log


def test_sigterm_reaches_the_crawl_which_is_taken_up_again(
    tmp_path: Path, start: Start, own: RedisProcess
) -> None:
    job = NotedJob(tmp_path, 'every = "1h"', frontier=own.url)
    job.takes(30)
    process = start(job.path)
    wait_until(lambda: job.notes() == ["begin"])
    code, log = stopped(process)
    assert code == 0
    assert "run 1 was stopped, and is taken up again" in log
    assert job.state().record.is_open
    job.takes(0)
    again = start(job.path)
    wait_until(lambda: job.notes() == ["begin", "stopped", "begin", "end"])
    wait_until(lambda: not job.state().record.is_open)
    assert job.state().record.number == 1
    time.sleep(0.2)
    stopped(again)
    assert job.notes() == ["begin", "stopped", "begin", "end"], "and not once more"


@pytest.mark.parametrize("place", ["folder", "redis"])
def test_two_schedulers_never_run_a_job_twice_at_once_or_for_one_time(
    tmp_path: Path, start: Start, place: str, request: pytest.FixtureRequest
) -> None:
    frontier = "embedded" if place == "folder" else request.getfixturevalue("own").url
    job = NotedJob(tmp_path, 'every = "1s"', frontier=frontier)
    job.takes(0.3)
    began = time.time()
    schedulers = [start(job.path) for _ in range(2)]
    wait_until(lambda: len(job.notes()) >= 4)
    for process in schedulers:
        stopped(process)
    notes = job.notes()
    assert notes[:4] == ["begin", "end"] * 2
    assert set(notes[::2]) == {"begin"}
    assert "begin" not in notes[1::2], "never two at once"
    # Not the begins: a crawl that is stopped while it exits is taken up, and begins again.
    assert job.state().record.number <= time.time() - began + 1


def test_the_run_of_a_machine_that_dies_is_taken_over_when_its_lease_ends(
    tmp_path: Path, start: Start, own: RedisProcess
) -> None:
    job = NotedJob(tmp_path, 'every = "1h"', frontier=own.url)
    job.takes(30)
    first = start(job.path)
    wait_until(lambda: job.notes() == ["begin"])
    first.kill()
    os.kill(job.crawl_id(), signal.SIGKILL)
    job.takes(0)
    second = start(job.path)
    wait_until(lambda: job.notes() == ["begin", "begin", "end"])
    wait_until(lambda: job.state().record.code == 0)
    assert job.state().record.number == 1
    stopped(second)


def test_a_scheduler_that_lost_its_lease_stops_its_crawl(
    tmp_path: Path, start: Start, own: RedisProcess
) -> None:
    job = NotedJob(tmp_path, 'every = "1h"', frontier=own.url)
    job.takes(30)
    process = start(job.path)
    wait_until(lambda: job.notes() == ["begin"])
    job.takes(0)
    lease = "crawl:{noted}:schedule:lease"
    server = Redis.from_url(own.url)
    server.set(lease, "another")
    log = log_until(process, "run 1 ended")
    assert job.notes() == ["begin", "stopped"]
    assert job.state().record.is_open, "the other has the run now"
    server.delete(lease)
    wait_until(lambda: job.state().record.code == 0)
    assert job.notes() == ["begin", "stopped", "begin", "end"]
    assert stopped(process)[0] == 0
    assert "another scheduler has taken the job over" in log

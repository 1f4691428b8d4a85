"""``genre-crawler frontier`` on a job in Redis, as an operator types it."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import orjson
import pytest
from fleet_worker import ended, job_file, job_of_pages, wait_for_pages, worker
from redis_process import RedisProcess, needs_redis
from scrapy_command import scrapy
from small_web import Web
from unread import full

from crawler.commands import runner
from crawler.commands.command_line import main
from crawler.frontier import Candidate, FrontierError, Policy
from crawler.frontier.redis import RedisFrontier
from settings import Job, load_job
from settings.given_job import job_of, with_frontier

# What an operator is told of the workers when a job is removed.
ANEW = ", a worker that starts now begins it anew\n"


async def begin(url: str, ago: float = 0) -> None:
    """One URL done, one dead, one queued and one leased, so many seconds ago."""
    policy = Policy(delay=0, visits_per_host=9, tries=1)
    frontier = await RedisFrontier.open(
        url, "fleet", policy, worker="w1", clock=lambda: time.time() - ago
    )
    await frontier.add([Candidate(f"http://localhost/{number}") for number in range(4)])
    done, dead, _ = await frontier.lease(3)
    await frontier.ack(done, "kept")
    await frontier.release(dead, reason="status [500]")
    # Not closed: the worker is killed.


def test_a_fleet_is_looked_into_steered_and_exported(tmp_path: Path) -> None:
    needs_redis()
    job, file = job_file(tmp_path), tmp_path / "fleet.jsonl"
    with RedisProcess(tmp_path) as server:
        asyncio.run(begin(server.url))
        there = ("-s", f"FRONTIER={server.url}")
        stats = orjson.loads(scrapy("frontier", "stats", "--json", job, *there).stdout)
        assert (stats["done"], stats["dead"], stats["leased"], stats["queued"]) == (1, 1, 1, 1)
        assert stats["fleet"]["leases"] == {"w1": 1}
        shown = scrapy("frontier", "stats", job, *there).stdout
        assert "status [500]" in shown
        assert "running; " in shown
        assert scrapy("frontier", "pause", job, *there).stdout == "the job is paused\n"
        freed = scrapy("frontier", "export", job, "--to", file, "--free", *there)
        assert "hold leases" in freed.stderr
        lines = [orjson.loads(line) for line in file.read_bytes().splitlines()]
        assert [next(iter(line)) for line in lines] == ["stats", "leased", "queued", "host", "dead"]


def test_a_fleet_that_was_killed_is_removed_once_its_leases_are_over(tmp_path: Path) -> None:
    needs_redis()
    job, file = job_file(tmp_path), tmp_path / "fleet.jsonl"
    with RedisProcess(tmp_path) as server:
        asyncio.run(begin(server.url, ago=86_400))
        shown = scrapy("frontier", "stats", job, "-s", f"FRONTIER={server.url}").stdout
        assert "no worker is heard of; 0.0 URLs done per minute" in shown
        assert "leases by worker" not in shown
        freed = scrapy(
            *("frontier", "export", job, "--to", file, "--free", "-s", f"FRONTIER={server.url}")
        )
        assert freed.stdout == f"5 lines written to {file}; job removed{ANEW}"
        kinds = [next(iter(orjson.loads(line))) for line in file.read_bytes().splitlines()]
        assert kinds == ["stats", "queued", "queued", "host", "dead"]


def test_a_job_is_removed_when_its_export_is_safe(tmp_path: Path) -> None:
    needs_redis()
    job, file = job_file(tmp_path), tmp_path / "fleet.jsonl"

    async def fail_thrice(url: str) -> None:
        async with await RedisFrontier.open(url, "fleet", Policy(delay=0, visits_per_host=9)) as it:
            await it.add([Candidate(f"http://localhost/{number}") for number in range(5)])
            for lease in await it.lease(3):
                await it.release(lease, reason="timeout")

    with RedisProcess(tmp_path) as server:
        asyncio.run(fail_thrice(server.url))
        there = ("-s", f"FRONTIER={server.url}")
        freed = scrapy("frontier", "export", job, "--to", file, "--free", *there)
        assert freed.stdout == f"7 lines written to {file}; job removed{ANEW}"
        lines = [orjson.loads(line) for line in file.read_bytes().splitlines()]
        urls = {
            line[kind]["url"] for line in lines for kind in line if kind in ("waiting", "queued")
        }
        assert urls == {f"http://localhost/{number}" for number in range(5)}
        assert "has no job" in scrapy("frontier", "stats", job, *there).stderr


def test_only_the_removal_goes_on_in_a_job_whose_removal_has_begun(tmp_path: Path) -> None:
    needs_redis()
    job, file = job_file(tmp_path), tmp_path / "fleet.jsonl"

    async def interrupt(url: str) -> None:
        async with await RedisFrontier.attach(url, "fleet") as frontier:
            await frontier.set_state("freed")

    with RedisProcess(tmp_path) as server:
        asyncio.run(begin(server.url))
        there = ("-s", f"FRONTIER={server.url}")
        assert scrapy("frontier", "export", job, "--to", file, *there).returncode == 0
        whole = file.read_bytes()
        asyncio.run(interrupt(server.url))
        for action in (("retry",), ("purge",), ("resume",), ("export", "--to", file)):
            refused = scrapy("frontier", *action, job, *there)
            assert (refused.returncode, refused.stdout) == (3, "")
            assert "finish it with `genre-crawler frontier export JOB --to" in refused.stderr
        code, errors = ended(worker(job, *there))
        assert (code, errors.count("\n"), "finish it with `genre-crawler" in errors) == (5, 1, True)
        freed = scrapy("frontier", "export", job, "--to", file, "--free", *there)
        assert freed.stdout == f"{file} left unchanged; job removed{ANEW}"
    assert file.read_bytes() == whole
    assert not list(tmp_path.glob("fleet.jsonl?*"))


def test_an_export_goes_through_a_pipe_but_a_job_is_not_freed_for_one(tmp_path: Path) -> None:
    needs_redis()
    job = job_file(tmp_path)
    with RedisProcess(tmp_path) as server:
        asyncio.run(begin(server.url))
        there = ("--to", "/dev/stdout", "-s", f"FRONTIER={server.url}")
        piped = scrapy("frontier", "export", job, *there)
        assert (piped.returncode, piped.stderr) == (0, "5 lines written to /dev/stdout\n")
        assert len([orjson.loads(line) for line in piped.stdout.splitlines()]) == 5
        with full() as stdout:
            unwritten = scrapy("frontier", "export", job, *there, stdout=stdout)
        said = "scrapy frontier export: --to /dev/stdout: No space left on device\n"
        assert (unwritten.returncode, unwritten.stderr) == (1, said)
        refused = scrapy("frontier", "export", job, "--free", *there)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "--free needs a regular file, not /dev/stdout" in refused.stderr


def test_a_stopped_fleet_ends_and_says_so_until_it_is_resumed(tmp_path: Path) -> None:
    needs_redis()
    with Web() as web, RedisProcess(tmp_path) as server:
        job = job_of_pages(tmp_path, web)
        there = ("-s", f"FRONTIER={server.url}")
        workers = [worker(job, *there) for _ in range(2)]
        wait_for_pages(web, *workers)
        assert scrapy("frontier", "stop", job, *there).stdout == "the job is stopped\n"
        for code, errors in map(ended, workers):
            assert (code, "Traceback" in errors) == (3, False), errors
        asked = len(web.asked)
        left = orjson.loads(scrapy("frontier", "stats", "--json", job, *there).stdout)
        assert left["leased"] == 0
        code, errors = ended(worker(job, *there))
        assert (code, errors.count("\n"), len(web.asked)) == (3, 1, asked)
        assert "was stopped for all its workers; run" in errors
        assert scrapy("frontier", "resume", job, *there).stdout == "the job is running\n"
        job_of_pages(tmp_path, web, delay=0)
        assert ended(worker(job, *there))[0] == 0
    assert sorted(set(web.asked)) == sorted({*web.answers, "/robots.txt"})


def test_a_job_may_be_removed_while_its_workers_are_ending(tmp_path: Path) -> None:
    needs_redis()
    end = tmp_path / "end"
    os.mkfifo(end)
    with Web() as web, RedisProcess(tmp_path) as server:
        job = job_of_pages(tmp_path, web)
        there = ("-s", f"FRONTIER={server.url}")
        ending = worker(job, *there, "-s", f"PAGE_SINK_END={end}")
        wait_for_pages(web, ending)
        scrapy("frontier", "stop", job, *there)
        with end.open("wb"):
            freed = scrapy("frontier", "export", job, "--to", tmp_path / "x", "--free", *there)
        assert freed.returncode == 0, freed.stderr
        code, errors = ended(ending)
    assert (code, "no longer has the job" in errors) == (3, True), errors


def test_a_demo_that_is_given_a_redis_works_with_no_other_frontier(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def check_frontier(job: Job) -> None:
        raise FrontierError(f"{job.frontier.url} is asked, and not there")

    monkeypatch.setattr(runner, "check_frontier", check_frontier)
    url = "redis://localhost:1/0"
    assert main(["demo", "--folder", str(tmp_path), "-s", f"FRONTIER={url}"]) == 5
    assert capsys.readouterr().err == f"{url} is asked, and not there\n"


def test_a_frontier_that_is_none_is_told_before_the_crawl(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    job = load_job(job_file(tmp_path))
    assert runner.run(job, runner.project_settings({"FRONTIER": "redis:a:secret@x"})) == 2
    assert capsys.readouterr().err.startswith("FRONTIER=redis:***@x must be")


def test_an_embedded_frontier_has_no_fleet(tmp_path: Path) -> None:
    done = scrapy("frontier", "pause", job_file(tmp_path))
    assert done.returncode == 3
    assert "no frontier" in done.stderr


def test_a_folder_without_a_frontier_may_be_of_a_job_in_redis(tmp_path: Path) -> None:
    done = scrapy("frontier", "stats", tmp_path)
    assert done.returncode == 3
    assert "its frontier is in Redis; then give the job file" in done.stderr


def test_a_folder_does_not_name_a_job_in_redis(tmp_path: Path) -> None:
    done = scrapy("frontier", "stats", tmp_path, "-s", "FRONTIER=redis://:secret@localhost:1/0")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "stats: FRONTIER=redis://***@localhost:1/0 needs the job file" in done.stderr


def test_a_frontier_of_the_command_line_wins(tmp_path: Path) -> None:
    seeds = tmp_path / "urls.txt"
    seeds.write_text("https://your-site.com/\n")
    job = job_of(seeds=seeds, contact="you@your-site.com")
    assert with_frontier(job, None) is job
    assert with_frontier(job, "unix:///run/redis").frontier.url == "unix:///run/redis"
    with pytest.raises(ValueError, match=r"FRONTIER=redis:\*\*\*@x must be"):
        with_frontier(job, "redis:a:secret@x")

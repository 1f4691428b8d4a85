"""``scrapy frontier`` on a job in Redis, as an operator types it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from redis_process import RedisProcess, needs_redis

from crawler.frontier import Candidate, Policy
from crawler.frontier.redis import RedisFrontier
from crawler.jobs import job_of, with_frontier

ROOT = Path(__file__).resolve().parents[2]


def scrapy(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "scrapy", "frontier", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def job_file(folder: Path) -> Path:
    path = folder / "job.toml"
    path.write_text('name = "fleet"\n[seeds]\nurls = ["http://localhost/"]\n')
    return path


async def begin(url: str) -> None:
    """One URL done, one dead, one queued and one leased."""
    policy = Policy(delay=0, visits_per_host=9, tries=1)
    frontier = await RedisFrontier.open(url, "fleet", policy, worker="w1")
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
        stats = orjson.loads(scrapy("stats", "--json", job, *there).stdout)
        assert (stats["done"], stats["dead"], stats["leased"], stats["queued"]) == (1, 1, 1, 1)
        assert stats["fleet"]["leases"] == {"w1": 1}
        assert "status [500]" in scrapy("stats", job, *there).stdout
        assert scrapy("pause", job, *there).stdout == "the job is paused\n"
        assert "hold leases" in scrapy("export", job, "--to", file, "--free", *there).stderr
        lines = [orjson.loads(line) for line in file.read_bytes().splitlines()]
        assert [next(iter(line)) for line in lines] == ["stats", "queued", "host", "dead"]


def test_an_embedded_frontier_has_no_fleet(tmp_path: Path) -> None:
    ended = scrapy("pause", job_file(tmp_path))
    assert ended.returncode == 3
    assert "no frontier" in ended.stderr


def test_a_frontier_of_the_command_line_wins() -> None:
    job = job_of(seeds=ROOT / "README.md", contact="you@your-site.com")
    assert with_frontier(job, None) is job
    assert with_frontier(job, "unix:///run/redis").frontier.url == "unix:///run/redis"
    with pytest.raises(ValueError, match=r"FRONTIER=redis:\*\*\*@x must be"):
        with_frontier(job, "redis:a:secret@x")

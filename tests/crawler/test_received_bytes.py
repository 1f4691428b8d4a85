"""When a worker tells the frontier how much it has received."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from crawler.crawl.traffic import Traffic
from crawler.frontier import SqliteFrontier
from settings import parse_job

JOB = """name = "a-job"
seeds.urls = ["http://localhost/"]
"""


def told(folder: Path, received: Sequence[tuple[float, int]], limit: str = "") -> list[int]:
    """What the frontier knows when so much more has come at some moments, in seconds."""
    job = parse_job(f"{JOB}{limit}\n", source="job.toml")
    now = 0.0

    async def work() -> list[int]:
        nonlocal now
        known = []
        traffic = Traffic(job.limits, job.politeness, clock=lambda: now)
        frontier = await SqliteFrontier.open(folder)
        for moment, size in received:
            now = moment
            traffic.received += size
            await traffic.report(frontier)
            known.append((await frontier.stats()).received)
        await frontier.close()
        return known

    return asyncio.run(work())


def test_much_is_told_at_once(tmp_path: Path) -> None:
    moments = [(0, 3_000_000), (1, 1_000_000), (2, 100)]
    assert told(tmp_path / "one", moments) == [0, 4_000_000, 4_000_000]
    limit = 'limits.total_size = "1 MB"'
    assert told(tmp_path / "other", [(0, 9_000), (1, 1_000)], limit) == [0, 10_000]


def test_little_is_told_after_half_a_minute_and_nothing_never(tmp_path: Path) -> None:
    moments = [(29, 50), (30, 50), (31, 1), (59, 1), (60, 1), (90, 0), (120, 0)]
    assert told(tmp_path, moments) == [0, 100, 100, 100, 103, 103, 103]

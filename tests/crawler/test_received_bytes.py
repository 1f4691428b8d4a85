"""When a worker tells the frontier how much it has received."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from crawler.crawl.crawl import Crawl
from settings import parse_job

JOB = """name = "a-job"
seeds.urls = ["http://localhost/"]
"""


def told(
    monkeypatch: pytest.MonkeyPatch, received: Sequence[tuple[float, int]], limit: str = ""
) -> list[int]:
    """What the frontier is told when so much more has come at some moments, in seconds."""
    now, found = 0.0, list[int]()

    async def count_received(size: int) -> None:
        found.append(size)

    frontier: Any = SimpleNamespace(count_received=count_received)
    monkeypatch.setattr("crawler.crawl.crawl.time", SimpleNamespace(monotonic=lambda: now))
    crawl = Crawl(parse_job(f"{JOB}{limit}\n", source="job.toml"))
    crawl._leases = SimpleNamespace(frontier=frontier)  # type: ignore[assignment]
    for moment, size in received:
        now = moment
        crawl.received += size
        asyncio.run(crawl.count_received())
    return found


def test_much_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(monkeypatch, [(0, 3_000_000), (1, 1_000_000), (2, 100)]) == [4_000_000]
    limit = 'limits.total_size = "1 MB"'
    assert told(monkeypatch, [(0, 9_000), (1, 1_000)], limit) == [10_000]


def test_little_is_told_after_half_a_minute_and_nothing_never(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moments = [(29, 50), (30, 50), (31, 1), (59, 1), (60, 1), (90, 0), (120, 0)]
    assert told(monkeypatch, moments) == [100, 3]

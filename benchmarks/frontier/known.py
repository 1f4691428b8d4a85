"""Memory of URLs that are done, in both frontiers: for ever, or until they are visited again.

Each is added, leased and acknowledged; half of the latter a second time, after they were due. The
growth of the whole store counts, of the file after ``VACUUM``, or of Redis's ``used_memory``.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import redis

from benchmarks.redis_process import empty_redis, used_memory
from benchmarks.report import Cell, Report
from crawler.frontier import Ack, Candidate, Frontier, Policy, SqliteFrontier, Visit
from crawler.frontier.redis import RedisFrontier
from crawler.frontier.sqlite.file import FILE_NAME

_DAY: Final = 86_400
_POLICY: Final = Policy(delay=0, visits_per_host=1000, revisit_share=0.5)
_COLUMNS: Final = {
    "frontier": "",
    "done URLs": "",
    "bytes/URL": ".1f",
    "of its URL": ".1f",
    "of its history": ".1f",
    "beyond these": ".1f",
}


class Clock:
    """Seconds since 1970, which pass at once."""

    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


async def run(pages: Iterator[list[Candidate]], urls: int, history: int, report: Report) -> int:
    """history: its length, in characters."""
    rows: list[tuple[Cell, ...]] = []
    for kept in (0, history):
        with TemporaryDirectory() as name:
            clock = Clock()
            async with await SqliteFrontier.open(Path(name), _POLICY, clock=clock) as frontier:
                length = await _fill(frontier, clock, pages, urls, kept)
            rows.append(_row("SQLite", _file_size(Path(name)) / urls, length, kept))
        with empty_redis() as url:
            client, clock = redis.Redis.from_url(url), Clock()
            async with await RedisFrontier.open(url, "known", _POLICY, clock=clock) as shared:
                empty = used_memory(client)
                length = await _fill(shared, clock, pages, urls, kept)
                used = used_memory(client) - empty
            rows.append(_row("Redis", used / urls, length, kept))
    report.table("known", _COLUMNS, sorted(rows, key=lambda row: str(row[0]), reverse=True))
    return 0


def _row(store: str, size: float, url: float, history: int) -> tuple[Cell, ...]:
    if not history:
        return store, "for ever", size, None, None, None
    return store, "until the next visit", size, url, history, size - url - history


async def _fill(
    frontier: Frontier, clock: Clock, pages: Iterator[list[Candidate]], urls: int, history: int
) -> float:
    """The mean length of the URLs."""
    rng = random.Random(0)
    added, length = 0, 0
    await frontier.begin_run()
    while added < urls:
        links = next(pages)
        added += await frontier.add(links)
        length += sum(len(link.url) for link in links)
        await _visit(frontier, rng, history)
    if history:
        clock.now += 15 * _DAY
        await frontier.begin_run()
        await _visit(frontier, rng, history)
    return length / added


async def _visit(frontier: Frontier, rng: random.Random, history: int) -> None:
    """All that is queued or due; the next visits are spread over a month."""
    while leases := await frontier.lease(100):
        visits = [
            Visit(rng.uniform(0, 30 * _DAY), "h" * history) if history else None for _ in leases
        ]
        acks = [Ack(lease, "kept", visit) for lease, visit in zip(leases, visits, strict=True)]
        await frontier.ack_all(acks)


def _file_size(folder: Path) -> int:
    path = folder / FILE_NAME
    db = sqlite3.connect(path)
    db.execute("VACUUM")
    db.close()
    return path.stat().st_size

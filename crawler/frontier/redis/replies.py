"""Turns the replies of the Redis frontier's scripts into the types of ``crawler.frontier``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from crawler.frontier.base import DeadLetter, HostStats, Lease, Stats, by_count
from crawler.frontier.micro import MICRO
from crawler.frontier.rank import depth_of, priority_of
from crawler.frontier.redis.entries import Entry


def lease_of(row: Sequence[str], deadline: float) -> Lease:
    token, host, rank, text = row
    entry = Entry.read(text, host)
    return Lease(
        url=entry.url,
        host=host,
        depth=depth_of(int(rank)),
        priority=priority_of(int(rank)),
        attempt=entry.attempts + 1,
        token=int(token),
        deadline=deadline,
        note=entry.note,
    )


def host_stats_of(row: Sequence[Any]) -> HostStats:
    host, queued, leased, done, dead, next_at = row
    return HostStats(host, queued, leased, done, dead, int(next_at) / MICRO)


def dead_letter_of(row: bytes) -> DeadLetter:
    host, rank, text, reason, died_at, number = orjson.loads(row)
    entry = Entry.read(text, host)
    return DeadLetter(
        number=int(number),
        url=entry.url,
        host=host,
        depth=depth_of(int(rank)),
        attempts=entry.attempts,
        reason=reason,
        died_at=int(died_at) / MICRO,
    )


def stats_of(job: Mapping[bytes, bytes], outcomes: Mapping[bytes, bytes], hosts: int) -> Stats:
    """The counts of a job, from its record, its outcomes and its number of hosts."""
    names = ("added", "waiting", "leased", "done", "dead", "purged", "refused", "received")
    counts = {name: int(job.get(name.encode(), 0)) for name in names}
    pages = {label.decode(): int(count) for label, count in outcomes.items()}
    return Stats(
        **counts,
        queued=int(job.get(b"queued", 0)) + counts["waiting"],
        hosts=hosts,
        outcomes=by_count(pages),
    )

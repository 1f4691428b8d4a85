"""What the scripts of the Redis frontier answer, in the words of the protocol."""

from __future__ import annotations

from collections.abc import Sequence
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


def stats_of(job: Any, outcomes: Any, hosts: int) -> Stats:
    """The job's record, its outcomes, and how many hosts it has."""
    numbers, labels = _pairs(job), _pairs(outcomes)
    names = ("added", "waiting", "leased", "done", "dead", "purged", "refused", "received")
    counts = {name: int(numbers.get(name, 0)) for name in names}
    pages = {label: int(count) for label, count in labels.items()}
    return Stats(
        **counts,
        queued=int(numbers.get("queued", 0)) + counts["waiting"],
        hosts=hosts,
        outcomes=by_count(pages),
    )


def _pairs(answer: Any) -> dict[str, bytes]:
    """A hash as Redis answers, which redis-py has paired or not."""
    items = answer.items() if isinstance(answer, dict) else zip(*[iter(answer)] * 2, strict=True)
    return {name.decode(): value for name, value in items}

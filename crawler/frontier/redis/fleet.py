"""The fleet of a shared frontier: the state of its job, its workers' leases and its throughput."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final, Literal

from crawler.frontier.micro import MICRO
from crawler.frontier.redis.job import RedisJob

_MINUTES: Final = 10

State = Literal["running", "paused", "stopped", "freed"]


@dataclass(frozen=True, slots=True)
class Fleet:
    """The workers of a job.

    state: whether leases are handed out; ``freed`` once the removal of the job has begun.
    leases: how many each worker holds, by name.
    per_minute: URLs done per minute, over the last ten minutes or since the job was started.
    """

    state: State
    leases: dict[str, int]
    per_minute: float


async def fleet_of(job: RedisJob) -> Fleet:
    now = await _now(job)
    minutes = _minutes(now)
    (state, began), leases, *done = await job.server.read(
        ("HMGET", job.key("job"), "state", "began"),
        ("HVALS", job.key("leases")),
        *(("GET", _key(job, minute)) for minute in minutes),
    )
    workers = Counter(lease.split(b" ", 2)[1].decode().rpartition(":")[0] for lease in leases)
    # The current minute counts up to now.
    elapsed = max(1, now - max(60 * minutes[-1], int(began) // MICRO))
    per_minute = 60 * sum(int(d or 0) for d in done) / elapsed
    return Fleet(state.decode(), dict(workers), per_minute)


async def forget_speed(job: RedisJob) -> None:
    """Remove the throughput, so that a new job of this name starts from zero."""
    await job.server.read(("UNLINK", *(_key(job, minute) for minute in _minutes(await _now(job)))))


async def _now(job: RedisJob) -> int:
    ((seconds, _),) = await job.server.read(("TIME",))
    return int(seconds)


def _minutes(now: int) -> list[int]:
    return [now // 60 - ago for ago in range(_MINUTES)]


def _key(job: RedisJob, minute: int) -> str:
    return job.key(f"minute:{minute}")

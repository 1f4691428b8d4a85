"""What only a shared frontier can tell: the state of its job, and what its workers do."""

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
    """What the workers of a job do.

    state: whether leases are given out; ``freed`` once the removal of the job has begun.
    leases: by the name of the worker.
    per_minute: URLs done a minute, over the last ten minutes or the life of the job if that is
        shorter.
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
    # The minute that is not over counts as far as it has gone.
    seen = max(1, now - max(60 * minutes[-1], int(began) // MICRO))
    per_minute = 60 * sum(int(d or 0) for d in done) / seen
    return Fleet(state.decode(), dict(workers), per_minute)


async def forget_speed(job: RedisJob) -> None:
    """Let no job that is begun anew under the name be told the minutes of this one."""
    await job.server.read(("UNLINK", *(_key(job, minute) for minute in _minutes(await _now(job)))))


async def _now(job: RedisJob) -> int:
    ((seconds, _),) = await job.server.read(("TIME",))
    return int(seconds)


def _minutes(now: int) -> list[int]:
    return [now // 60 - ago for ago in range(_MINUTES)]


def _key(job: RedisJob, minute: int) -> str:
    return job.key(f"minute:{minute}")

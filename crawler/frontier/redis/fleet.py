"""What only a shared frontier can tell: the state of its job, and what its workers do."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final, Literal

from crawler.frontier.redis.job import MICRO, RedisJob

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
    ((seconds, _),) = await job.server.read(("TIME",))
    now = int(seconds)
    minutes = [now // 60 - ago for ago in range(_MINUTES)]
    (state, began), leases, *done = await job.server.read(
        ("HMGET", job.key("job"), "state", "began"),
        ("HVALS", job.key("leases")),
        *(("GET", job.key(f"minute:{minute}")) for minute in minutes),
    )
    workers = Counter(lease.split(b" ", 2)[1].decode().rpartition(":")[0] for lease in leases)
    # The minute that is not over counts as far as it has gone.
    seen = max(1, now - max(60 * minutes[-1], int(began) // MICRO))
    per_minute = 60 * sum(int(d or 0) for d in done) / seen
    return Fleet(state.decode(), dict(workers), per_minute)

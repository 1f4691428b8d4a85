"""What people are told of a job in Redis: what an operator has set, or what its workers do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crawler.frontier.stats import Stats
from crawler.outcomes import HELD

if TYPE_CHECKING:
    from crawler.frontier.redis import RedisFrontier
    from crawler.frontier.redis.job import Fleet

RUNNING: Final = "running"
IDLE: Final = "idle"
FINISHED: Final = "finished"


async def job_state(frontier: RedisFrontier, fleet: Fleet, urls: Stats, *, is_heard: bool) -> str:
    """The state of the fleet; of one that may work ``running``, ``idle`` or ``finished``.

    is_heard: whether a worker reports. Reports outlive the worker for a while, so a job without
    anything left to do is finished in spite of them, unless pages wait to be read again.
    """
    if fleet.state != RUNNING or fleet.leases:
        return fleet.state
    if not urls.outcomes.get(HELD) and await frontier.finished():
        return FINISHED
    return RUNNING if is_heard else IDLE

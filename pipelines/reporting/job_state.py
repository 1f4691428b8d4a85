"""What people are told of a shared job: what an operator has set, or what its workers do."""

from __future__ import annotations

from typing import Final

from crawler.frontier import Fleet, SharedFrontier, Stats
from crawler.outcomes import HELD

RUNNING: Final = "running"
IDLE: Final = "idle"
FINISHED: Final = "finished"


async def job_state(frontier: SharedFrontier, fleet: Fleet, urls: Stats, *, is_heard: bool) -> str:
    """The state of the fleet; of one that may work ``running``, ``idle`` or ``finished``.

    is_heard: whether a worker reports. Reports outlive the worker for a while, so a job without
    anything left to do is finished in spite of them, unless pages wait to be read again, or
    its first worker has not added the seeds yet, or could not.
    """
    if fleet.state != RUNNING or fleet.leases:
        return fleet.state
    if urls.added and not urls.outcomes.get(HELD) and await frontier.finished():
        return FINISHED
    return RUNNING if is_heard else IDLE

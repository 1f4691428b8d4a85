"""Frontiers that many workers share, and what is known and told of these."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Final, Literal

from crawler.frontier.base import Frontier

State = Literal["running", "paused", "stopped", "freed"]
# What an operator may tell all workers, and the state that follows.
STATES: Final[dict[str, State]] = {"pause": "paused", "resume": "running", "stop": "stopped"}


@dataclass(frozen=True, slots=True)
class Fleet:
    """The workers of a job.

    state: whether leases are handed out; ``freed`` once the removal of the job has begun.
    leases: how many each worker holds, by name; those past their deadline are nobody's.
    per_minute: URLs done per minute, over the last ten minutes or since the job was started.
    """

    state: State
    leases: dict[str, int]
    per_minute: float


class SharedFrontier(Frontier):
    """A frontier that any number of workers may use at once."""

    @abstractmethod
    async def fleet(self) -> Fleet:
        """The state of the job and of its workers."""

    @abstractmethod
    async def set_state(self, state: State) -> None:
        """Set the state for all workers.

        ``paused``: no leases are handed out; ``stopped``, ``freed``: workers also end.
        """

    @abstractmethod
    async def is_freed(self) -> bool:
        """Whether the removal of the job has begun, so that it is no longer complete."""

    @abstractmethod
    async def publish(self, worker: str, report: bytes, seconds: float) -> None:
        """Show a worker's report to those who watch the job, for ``seconds`` or until its next."""

    @abstractmethod
    async def reports(self) -> dict[str, bytes]:
        """What the workers have published, by name, and is still to be shown."""

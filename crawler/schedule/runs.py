"""The runs of one job: what is remembered of them, and the right to run it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any, Final, Self

import orjson


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a scheduler does things, in seconds.

    look: between two looks at the clock, the job files and what operators want. So short that
        nobody has to be told of a change; a look takes a millisecond.
    lease: after which the right to run a job falls to others, if it is not renewed.
    """

    look: float = 1.0
    lease: float = 60.0

    @property
    def renewal(self) -> float:
        """Between two renewals of a lease."""
        return self.lease / 6


PACE: Final = Pace()


@dataclass(frozen=True, slots=True)
class Record:
    """What is remembered of a job's runs. Moments are seconds since 1970; None: not yet.

    since: when a scheduler first saw the job.
    number: of the latest run; the first is 1.
    started: when the latest run was started, or taken up again.
    ended: when it ended; None as long as it runs, and if its scheduler ended before it did.
    code: its exit code.
    """

    since: float | None = None
    number: int = 0
    started: float | None = None
    ended: float | None = None
    code: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether the latest run has not ended: it goes on, or has to be taken up again."""
        return self.started is not None and self.ended is None

    @classmethod
    def read(cls, text: bytes) -> Self:
        """The record in a JSON object. Raises ValueError if it is none."""
        found: Any = orjson.loads(text)
        try:
            return cls(**found)
        except TypeError as error:
            raise ValueError(str(error)) from None

    def text(self) -> bytes:
        return orjson.dumps(asdict(self))


@dataclass(frozen=True, slots=True)
class State:
    """A job's record, what operators want, and the time of the clock that all of it goes by.

    is_paused: whether the schedule starts nothing.
    is_asked: whether a run is asked for, whatever the schedule says.
    """

    record: Record
    is_paused: bool
    is_asked: bool
    now: float


class Runs(ABC):
    """The record of a job, and the right to run it, which one process has at a time.

    All methods raise FrontierError or OSError if the place of the record cannot be used.
    """

    @abstractmethod
    async def look(self) -> State:
        """What is known now."""

    @abstractmethod
    async def pause(self, *, paused: bool) -> None:
        """Let the schedule start nothing, or go on."""

    @abstractmethod
    async def ask(self) -> None:
        """Ask for a run."""

    @abstractmethod
    async def take_request(self) -> bool:
        """Take up, or take back, what was asked for; False if nothing is."""

    @abstractmethod
    async def claim(self) -> bool:
        """Take or renew the right to run the job; False if another has it."""

    @abstractmethod
    async def is_claimed(self) -> bool:
        """Whether anybody has the right to run the job."""

    @abstractmethod
    async def write(self, record: Record) -> None:
        """Remember a record; without the right to run the job this has no effect."""

    @abstractmethod
    async def release(self) -> None:
        """Give the right back, if it is held."""

    @abstractmethod
    def hurry(self) -> None:
        """Shut down soon, even if the place of the record does not answer."""

    async def close(self) -> None:
        """Give everything back."""
        await self.release()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

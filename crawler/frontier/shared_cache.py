"""The interface of a cache that the workers of a job share."""

from __future__ import annotations

from typing import Protocol


class SharedCache(Protocol):
    """Values by name, each with a lifetime in seconds; only for what can be fetched again."""

    async def get(self, name: str) -> bytes | None:
        """The value; None if there is none or it has expired."""

    async def put(self, name: str, value: bytes, seconds: float) -> None:
        """Store a value for ``seconds``."""

    async def claim(self, name: str, seconds: float) -> bool:
        """Whether the caller should fetch it; for ``seconds``, all other callers get False."""

    async def give_up(self, name: str) -> None:
        """Release the caller's claim, if it has it, so that another worker can make it."""

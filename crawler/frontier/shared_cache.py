"""The face of a cache that the workers of a job share: what one has fetched, others need not."""

from __future__ import annotations

from typing import Protocol


class SharedCache(Protocol):
    """Values by name, each with a life in seconds; only for what can be fetched again."""

    async def get(self, name: str) -> bytes | None:
        """The value; None if there is none, or its life is over."""

    async def put(self, name: str, value: bytes, seconds: float) -> None:
        """Keep a value."""

    async def claim(self, name: str, seconds: float) -> bool:
        """Whether the caller is to fetch it, which nobody else is told within ``seconds``."""

    async def give_up(self, name: str) -> None:
        """Let another worker claim it at once."""

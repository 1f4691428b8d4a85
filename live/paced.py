"""Questions to the frontier that are asked again only after a while, by what they cost."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

from crawler.frontier import Frontier

_SHARE: Final = 0.01
_SECONDS: Final = 1.0
# An answer that had to wait for the end of an outage says nothing of what asking costs.
_MOST_SECONDS: Final = 60.0
T = TypeVar("T")


class Paced(Generic[T]):
    """The last answer to a question.

    A frontier of millions of hosts takes a second to tell the busiest, and leases nothing
    meanwhile.

    first: the answer before the first. share: of the time that asking may take.
    """

    def __init__(
        self, ask: Callable[[Frontier], Awaitable[T]], first: T, *, share: float = _SHARE
    ) -> None:
        self._ask = ask
        self._answer = first
        self._share = share
        self._again = 0.0

    async def ask(self, frontier: Frontier) -> T:
        """The answer, asked for again if it is time to. Raises FrontierError."""
        began = time.monotonic()
        if began >= self._again:
            self._answer = await self._ask(frontier)
            took = time.monotonic() - began
            self._again = began + min(max(_SECONDS, took / self._share), _MOST_SECONDS)
        return self._answer

    def expire(self) -> None:
        """Ask again at the next call, because something was changed."""
        self._again = 0.0

"""Questions to the frontier that are asked again only after a while, by what they cost."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

from crawler.frontier import Frontier

_SHARE: Final = 0.01
_SECONDS: Final = 1.0
# A busy process is late to hear an answer; of so many, the one that it heard soonest tells what
# asking costs.
_MEASURED: Final = 5
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
        self._took: deque[float] = deque(maxlen=_MEASURED)

    async def ask(self, frontier: Frontier) -> T:
        """The answer, asked for again if it is time to. Raises FrontierError."""
        began = time.monotonic()
        if began >= self._again:
            self._answer = await self._ask(frontier)
            self._took.append(time.monotonic() - began)
            self._again = began + min(max(_SECONDS, self._cost() / self._share), _MOST_SECONDS)
        return self._answer

    def _cost(self) -> float:
        return min(self._took) if len(self._took) == _MEASURED else 0.0

    def expire(self) -> None:
        """Ask again at the next call, because something was changed."""
        self._again = 0.0

"""Leases for the downloader: only as many as it can fetch at once, never a stock.

The frontier spaces visits by the time of their lease, and another worker could fetch what would
wait here.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Final

from crawler.crawl import Crawl
from crawler.frontier import Lease

# Limits the pages between download and acknowledgement: those that wait to be read, and the lines
# that the writer buffers for one frame.
MOST_IN_WORK: Final = 1_000
_SHORTEST_WAIT: Final = 0.01
# Polls often, because neither the downloader nor the pipelines signal when they are free.
_BUSY_WAIT: Final = 0.02
_LONGEST_WAIT: Final = 1.0


class Feeding:
    """Hands out leases until the crawl ends.

    That is when the frontier is finished, the crawl is closed or stopped, or another worker has set
    a new scope.

    is_busy: whether the downloader or the pipelines are at capacity.
    """

    def __init__(self, crawl: Crawl, is_busy: Callable[[], bool]) -> None:
        self._crawl = crawl
        self._is_busy = is_busy
        self._concurrency = crawl.job.politeness.concurrency

    async def leases(self) -> AsyncIterator[Lease]:
        """Leases, each as soon as it can be fetched."""
        frontier = self._crawl.frontier
        while not self._crawl.is_closed:
            frontier.changed.clear()
            if self._is_busy():
                await self._wait(_BUSY_WAIT)
                continue
            await self._crawl.count_received()
            room = self._room()
            leases = await frontier.lease(room) if room > 0 else []
            if frontier.has_new_scope:
                # By its old scope, this worker would drop URLs that the new one includes. Closing
                # the crawl gives the leases back.
                return
            for lease in leases:
                yield lease
            if leases:
                continue
            if await self._is_over():
                return
            await self._wait(await self._next_turn(room))

    def _room(self) -> int:
        frontier = self._crawl.frontier
        return min(self._concurrency - frontier.visits, MOST_IN_WORK - frontier.held)

    async def _is_over(self) -> bool:
        frontier = self._crawl.frontier
        if frontier.held:
            return False
        if await frontier.finished():
            return True
        self._crawl.is_stopped = await self._crawl.frontier.stopped()
        return self._crawl.is_stopped

    async def _next_turn(self, room: int) -> float:
        """Seconds to wait for the next host, within bounds."""
        seconds = await self._crawl.frontier.lease_in() if room > 0 else None
        if seconds is None:
            return _LONGEST_WAIT / 4
        return min(max(seconds, _SHORTEST_WAIT), _LONGEST_WAIT)

    async def _wait(self, seconds: float) -> None:
        """Wait until a visit ends or a URL is added, but at most so long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._crawl.frontier.changed.wait()

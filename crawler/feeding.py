"""Leases for the downloader: as many as it can fetch now, never a store of them.

A visit counts from its lease, by which the frontier spaces visits, and another worker could fetch
what waits here.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Final

from crawler.crawl import Crawl
from crawler.frontier import Lease

# Pages between their download and their acknowledgement: what waits to be read, and the lines that
# the writer gathers for one frame.
MOST_IN_WORK: Final = 1_000
_SHORTEST_WAIT: Final = 0.01
# Looked at often, for neither the downloader nor the pipelines tell when they have room.
_BUSY_WAIT: Final = 0.02
_LONGEST_WAIT: Final = 1.0


class Feeding:
    """Hands out leases until the frontier has no more, the crawl ends or is stopped, or the job has
    another scope than this worker.

    is_busy: whether the downloader or the pipelines have their hands full.
    """

    def __init__(self, crawl: Crawl, is_busy: Callable[[], bool]) -> None:
        self._crawl = crawl
        self._is_busy = is_busy
        self._concurrency = crawl.job.politeness.concurrency

    async def leases(self) -> AsyncIterator[Lease]:
        """Leases, one after the other, each when it can be fetched at once."""
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
                # By its own scope this worker would drop what the new one wants. What is leased
                # goes back when the crawl closes.
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
        """Seconds until the next host may be visited, as far as is known."""
        seconds = await self._crawl.frontier.lease_in() if room > 0 else None
        if seconds is None:
            return _LONGEST_WAIT / 4
        return min(max(seconds, _SHORTEST_WAIT), _LONGEST_WAIT)

    async def _wait(self, seconds: float) -> None:
        """Until a visit ends or a URL is new, and no longer than that."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._crawl.frontier.changed.wait()

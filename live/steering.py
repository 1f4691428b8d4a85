"""What people may do to a crawl from its page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from scrapy.crawler import Crawler

from corpus_commons.counts import number_of
from crawler.crawl.crawl import Crawl
from crawler.frontier import Frontier, FrontierError, SharedFrontier
from crawler.frontier.fleet import STATES

PAUSE: Final = "pause"
RESUME: Final = "resume"
STOP: Final = "stop"
RETRY: Final = "retry"
_SAID: Final = {
    PAUSE: "Paused: what was begun is finished, and no more URLs are handed out.",
    RESUME: "The crawl goes on.",
    STOP: "The crawl is being stopped; the same command resumes it.",
}


class Steering:
    """Steers all workers of a job, through the frontier that they share.

    frontier: of the job. Raises FrontierError, or NotOpenError when the crawl is over.
    """

    actions: Final = (RETRY, *STATES)

    def __init__(self, frontier: Callable[[], Awaitable[Frontier]]) -> None:
        self._frontier = frontier

    async def act(self, action: str, reason: str | None = None) -> str:
        """Do it; returns what to tell the user.

        reason: of the dead URLs to retry; None for all. Raises ValueError for an unknown action,
        and as ``frontier``.
        """
        if action not in self.actions:
            raise ValueError(f"{action!r} must be one of {', '.join(self.actions)}")
        if action == RETRY:
            count = await (await self._frontier()).retry_dead(reason=reason)
            return f"{number_of(count, 'URL')} put back into the queue."
        await self._steer(action)
        return _SAID[action]

    async def _steer(self, action: str) -> None:
        frontier = await self._frontier()
        if not isinstance(frontier, SharedFrontier):
            raise FrontierError("the job has no workers but its own crawl")
        if await frontier.is_freed():
            raise FrontierError("the job is being removed")
        await frontier.set_state(STATES[action])


class OwnSteering(Steering):
    """Steers the crawl in this process, whose frontier only it uses."""

    def __init__(self, crawl: Crawl, crawler: Crawler) -> None:
        async def frontier() -> Frontier:
            return crawl.frontier

        super().__init__(frontier)
        self._crawl = crawl
        self._crawler = crawler
        self._stopping: asyncio.Task[None] | None = None

    async def act(self, action: str, reason: str | None = None) -> str:
        said = await super().act(action, reason)
        # The crawl may be about to find that nothing is left.
        self._crawl.leases.changed.set()
        return said

    async def _steer(self, action: str) -> None:
        if action == STOP:
            self._crawl.hurry()
            # Not awaited: the end of the crawl waits for the answer to whoever stops it.
            self._stopping = asyncio.create_task(self._crawler.stop_async(), name="stop")
        else:
            self._crawl.is_paused = action == PAUSE

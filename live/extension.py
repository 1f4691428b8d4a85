"""The extension of Scrapy that gives a crawl its live page, and reports it to the fleet's."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import TYPE_CHECKING, Final, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from corpus_commons.web.door import Door
from crawler.crawl.crawl import Crawl, NotOpenError, crawl_of
from crawler.frontier import Frontier, FrontierError, SharedFrontier
from live.estimate import SPACING
from live.place import place_of
from live.serving import Serving
from live.steering import OwnSteering, Steering
from live.watch import Watch
from live.worker import OwnWorker

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from live.server import LiveServer

_TICK: Final = 1.0
# Of a worker's report: how often it is published, for how long it is shown, and of how many
# documents.
_PUBLISHED_EVERY: Final = SPACING
_SHOWN_FOR: Final = 60.0
_PUBLISHED_DOCUMENTS: Final = 10

_log = logging.getLogger(__name__)


class LivePage:
    """Serves a crawl's page while it runs."""

    def __init__(self, crawler: Crawler) -> None:
        """Raises LookupError if it does not crawl a job."""
        self._crawler = crawler
        self._crawl: Crawl = crawl_of(crawler)
        self._worker = OwnWorker(self._crawl, crawler)
        self._watch = Watch(self._crawl.job, self._frontier, self._worker.report)
        self._server: LiveServer | None = None
        self._serving: Serving | None = None
        self._ticking: asyncio.Task[None] | None = None
        crawler.signals.connect(self.begin, signals.spider_opened)
        crawler.signals.connect(self.end, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured if the crawl is to have no page, or is not of a job."""
        try:
            if not crawl_of(crawler).job.live.enabled:
                raise NotConfigured
            return cls(crawler)
        except LookupError as error:
            raise NotConfigured(str(error)) from error

    async def begin(self) -> None:
        crawl = self._crawl
        if crawl.ending.failure is not None:
            return
        self._worker.sample()
        self._ticking = asyncio.create_task(self._tick(), name="live numbers")
        try:
            door, listener = place_of(crawl.job.live)
        except (OSError, ValueError) as error:
            _log.warning("there is no live page: %s", error)
            return
        # Who looks first may come when the crawl is about to end, and its frontier is closed.
        steering = self._steering()
        self._serving = Serving(listener, lambda: self._application(door, steering))
        self._serving.start()
        _log.info("watch it at %s", door.address)

    async def end(self) -> None:
        if self._ticking is not None:
            self._ticking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._ticking
        if self._server is not None:
            await self._server.end(self._watch.finish(self._crawl.ending.last_stats))
        if self._serving is not None:
            await self._serving.stop()

    async def _frontier(self) -> Frontier:
        return self._crawl.frontier

    def _application(self, door: Door, steering: Steering) -> ASGIApp:
        from live.server import LiveServer, Site  # noqa: PLC0415 - only if somebody looks

        site = Site(self._watch, steering, self._crawl.worker, self._worker.documents.find)
        self._server = LiveServer(site, door)
        return self._server.app

    def _steering(self) -> Steering:
        if isinstance(self._crawl.frontier, SharedFrontier):
            return Steering(self._frontier)
        return OwnSteering(self._crawl, self._crawler)

    async def _tick(self) -> None:
        """Note the numbers from which rates and the end are estimated; report them to others."""
        next_at = 0.0
        while True:
            self._worker.sample()
            if time.monotonic() >= next_at:
                next_at = time.monotonic() + _PUBLISHED_EVERY
                try:
                    await self._report()
                except NotOpenError:
                    return
                except FrontierError as error:
                    _log.debug("could not report: %s", error)
            await asyncio.sleep(_TICK)

    async def _report(self) -> None:
        await self._watch.sample()
        frontier = self._crawl.frontier
        if isinstance(frontier, SharedFrontier):
            report = await self._worker.report(_PUBLISHED_DOCUMENTS)
            await frontier.publish(self._crawl.worker, report.to_json(), _SHOWN_FOR)

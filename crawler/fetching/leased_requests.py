"""Leased requests: from the frontier to the downloader, as fast as it can fetch them.

No more is leased than can be fetched at once: the frontier spaces visits by the time of their
lease, and another worker could fetch what would wait here.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Final, Self

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.utils.defer import deferred_from_coro
from twisted.internet.defer import Deferred

from crawler.crawl.crawl import Crawl, crawl_of
from crawler.discovery.sitemaps import LARGEST
from crawler.exit_codes import CrawlError
from crawler.fetching.reach import nobody_is_there
from crawler.frontier import Lease
from crawler.frontier.url_meta import Kind, UrlMeta
from crawler.recrawl.history import History
from crawler.recrawl.revisits import history_of
from crawler.recrawl.validators import conditions

_log = logging.getLogger(__name__)

# Limits the pages between download and acknowledgement: those that wait to be read, and the lines
# that the writer buffers for one frame.
MOST_IN_WORK: Final = 1_000
_SHORTEST_WAIT: Final = 0.01
# Polls often, because neither the downloader nor the pipelines signal when they are free.
_BUSY_WAIT: Final = 0.02
_LONGEST_WAIT: Final = 1.0
_KEY: Final = "leased_request"


class LeaseLostError(IgnoreRequest):
    """The lease was lost before its URL was requested; another worker may have it."""


@dataclass(slots=True)
class LeasedRequest:
    """A lease that is being fetched.

    meta: of the leased URL. history: of its visits; None at the first. scope: the job's, as there.
    tried: the requested URLs, ``lease.url`` first; more if the server redirects to other spellings.
    began: when the last request was sent, by the monotonic clock; 0 before that.
    """

    lease: Lease
    meta: UrlMeta
    history: History | None = None
    scope: str = ""
    tried: list[str] = field(default_factory=list)
    began: float = 0.0

    @classmethod
    def of(cls, lease: Lease, scope: str = "") -> LeasedRequest:
        try:
            meta = UrlMeta.read(lease.note)
        except ValueError:  # written by another version
            meta = UrlMeta()
        return cls(lease, meta, history_of(lease.history), scope)

    @staticmethod
    def behind(made: Request | Response) -> LeasedRequest:
        """The leased request that a request or its response belongs to. Raises KeyError."""
        found: LeasedRequest = made.meta[_KEY]
        return found

    @staticmethod
    def find(request: Request) -> LeasedRequest | None:
        """As ``behind``; None for other requests, such as for robots.txt."""
        return request.meta.get(_KEY)

    @property
    def is_page(self) -> bool:
        return self.meta.kind is Kind.PAGE

    @property
    def is_wanted(self) -> bool:
        """Whether the job itself asks for it: a seed, a sitemap, or a page on a sitemap."""
        return self.lease.depth == 0 or not self.is_page

    @property
    def conditions(self) -> dict[str, str]:
        """The headers that ask for a known page only if it has changed; empty if it is read."""
        return conditions(self.history, self.scope) if self.history else {}

    def request(self, url: str) -> Request:
        """A request for the URL; the spider adds the callbacks."""
        self.tried.append(url)
        meta: dict[str, object] = {_KEY: self, "handle_httpstatus_all": True}
        if not self.is_page:
            meta["download_maxsize"] = LARGEST
        return Request(url, headers=self.conditions, meta=meta, dont_filter=True)


class LeaseFeed:
    """Hands out leases until the crawl ends.

    That is when the frontier is finished, the crawl is closed or stopped, another worker has set a
    new scope, or no host can be connected to.

    is_busy: whether the downloader or the pipelines are at capacity.
    """

    def __init__(self, crawl: Crawl, is_busy: Callable[[], bool]) -> None:
        self._crawl = crawl
        self._is_busy = is_busy
        self._concurrency = crawl.job.politeness.concurrency

    async def leases(self) -> AsyncIterator[Lease]:
        """Leases, each as soon as it can be fetched."""
        frontier, held = self._crawl.frontier, self._crawl.leases
        while not (self._crawl.is_closed or self._crawl.is_up_to_date):
            held.changed.clear()
            if self._crawl.is_paused or self._is_busy():
                await self._wait(_BUSY_WAIT)
                continue
            await self._crawl.traffic.report(frontier)
            room = min(self._concurrency - held.visits, MOST_IN_WORK - held.held)
            leases = await held.lease(room) if room > 0 else []
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
            await self._wait_for_turn(room)

    async def _is_over(self) -> bool:
        frontier = self._crawl.frontier
        if self._crawl.leases.held:
            return False
        if await frontier.finished() or await nobody_is_there(self._crawl):
            return True
        self._crawl.is_stopped = await frontier.stopped()
        return self._crawl.is_stopped

    async def _wait_for_turn(self, room: int) -> None:
        seconds = await self._next_turn(room)
        began = time.monotonic()
        await self._wait(seconds)
        if room > 0:
            self._crawl.waited += time.monotonic() - began

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
                await self._crawl.leases.changed.wait()


class LeaseScheduler(BaseScheduler):
    """Scrapy's scheduler: a short FIFO queue in memory. It also opens and closes the crawl.

    The frontier decides what is fetched and when, and knows what was seen. Scrapy opens the
    scheduler before the item pipelines and closes it after them, which is right for the frontier.
    """

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._queue: deque[Request] = deque()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawl_of(crawler))

    def open(self, spider: Spider) -> Deferred[None] | None:
        return deferred_from_coro(self._open())

    def close(self, reason: str) -> Deferred[None] | None:
        return deferred_from_coro(self._crawl.close(reason))

    def has_pending_requests(self) -> bool:
        return bool(self._queue)

    def enqueue_request(self, request: Request) -> bool:
        self._queue.append(request)
        return True

    def next_request(self) -> Request | None:
        return self._queue.popleft() if self._queue else None

    async def _open(self) -> None:
        """If the crawl cannot be opened, it gets no leases and ends; ``Crawl.failure`` says why.

        If the error were raised, Scrapy would not open its other parts, but fail to close them.
        """
        try:
            await self._crawl.open()
        except (CrawlError, OSError) as error:
            _log.error("the crawl cannot start: %s", error)


class LeaseMiddleware:
    """Drops requests whose lease is lost, before they are sent."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawl_of(crawler))

    async def process_request(self, request: Request) -> None:
        leased = LeasedRequest.find(request)
        if leased is not None and not self._crawl.leases.holds(leased.lease):
            raise LeaseLostError(f"the lease of {request.url} was lost")

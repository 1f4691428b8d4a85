"""Scrapy's scheduler: requests wait here for the downloader, and the crawl opens and closes here.

The frontier decides what is fetched and when, and remembers what was seen. So the queue is short,
in memory, and first come, first served. Scrapy opens its scheduler before the item pipelines and
closes it after them, which is the order in which the frontier must be there.
"""

from __future__ import annotations

import logging
from collections import deque
from typing import Self

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.utils.defer import deferred_from_coro
from twisted.internet.defer import Deferred

from crawler.crawl import Crawl, crawl_of
from crawler.errors import CrawlError
from crawler.frontier import FrontierError

_log = logging.getLogger(__name__)


class LeaseScheduler(BaseScheduler):
    """A queue of requests, each of which belongs to a lease."""

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
        """A crawl that cannot begin has no leases, and so ends; its ``failure`` says why.

        Raised here, the error would keep Scrapy from opening the rest, which it then cannot close.
        """
        try:
            await self._crawl.open()
        except (CrawlError, FrontierError, OSError) as error:
            _log.error("the crawl cannot begin: %s", error)

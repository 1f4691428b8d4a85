"""Scrapy's scheduler: queues requests for the downloader, and opens and closes the crawl.

The frontier decides what is fetched and when, and knows what was seen. So this is just a short FIFO
queue in memory. Scrapy opens the scheduler before the item pipelines and closes it after them,
which is the right order for the frontier.
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
    """A FIFO queue of requests."""

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
        except (CrawlError, FrontierError, OSError) as error:
            _log.error("the crawl cannot start: %s", error)

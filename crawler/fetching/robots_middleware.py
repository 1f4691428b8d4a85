"""Checks robots.txt before every request, spaces requests as it asks, fetches hosts' files."""

from __future__ import annotations

import time
from typing import Final, Self

from scrapy import Request
from scrapy.core.downloader import Slot
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from crawler.consent.host_signals import HostSignals
from crawler.crawl import Crawl, crawl_of
from crawler.politeness import shared_files
from crawler.politeness.robots import Robots
from crawler.urls import UrlError, host_key

# Larger files are not downloaded; ``robots_file`` parses only the beginning.
_LARGEST_DOWNLOAD: Final = 10_000_000
# The same key as of Scrapy's own middleware.
EXEMPT: Final = "dont_obey_robotstxt"


async def fetched_outside_rules(crawler: Crawler, url: str) -> Response:
    """The response for a host's file, to which no rules apply. Raises what Scrapy raises."""
    meta = {EXEMPT: True, "dont_redirect": True, "download_maxsize": _LARGEST_DOWNLOAD}
    request = Request(url, callback=NO_CALLBACK, meta=meta, dont_filter=True)
    return await crawler.engine.download_async(request)


class RobotsMiddleware:
    """Checks robots.txt before every request; replaces Scrapy's own middleware."""

    def __init__(self, crawler: Crawler, crawl: Crawl) -> None:
        self._crawler = crawler
        self._crawl = crawl
        politeness = crawl.job.politeness
        self._delay = crawler.settings.getfloat("DOWNLOAD_DELAY")
        self._longest_delay = politeness.longest_delay
        self._robots = Robots(
            self._fetch,
            self._pace,
            politeness.robots_agent(),
            others=crawl.trainers,
            tries=crawl.job.frontier.tries,
            longest_wait=politeness.longest_delay,
        )
        crawl.host_signals = HostSignals(self._robots, self._fetch)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not crawler.settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        return cls(crawler, crawl_of(crawler))

    async def process_request(self, request: Request) -> None:
        if not request.meta.get(EXEMPT):
            delay = await self._robots.check(request.url)
            if delay:
                self._slow_down(request.url, delay)

    async def _fetch(self, url: str) -> Response:
        cache = self._crawl.frontier.shared_cache()
        if cache is None:
            return await self._download(url)
        return await shared_files.shared_response(cache, url, self._download)

    async def _download(self, url: str) -> Response:
        try:
            return await fetched_outside_rules(self._crawler, url)
        finally:
            # So that what waited for this comes a delay after it.
            slot = self._slot(url)
            if slot is not None:
                slot.lastseen = time.monotonic()

    async def _pace(self, host: str, seconds: float) -> None:
        slot = self._slots().get(host)
        if slot is not None:
            slot.delay = self._allowed(seconds)
        await self._crawl.frontier.pace_host(host, seconds)

    def _slow_down(self, url: str, delay: float) -> None:
        """Delay the downloader's slot, which paces requests that the frontier does not know of."""
        slot = self._slot(url)
        if slot is not None:
            slot.delay = max(slot.delay, self._allowed(delay))

    def _allowed(self, delay: float) -> float:
        return max(self._delay, min(delay, self._longest_delay))

    def _slot(self, url: str) -> Slot | None:
        try:
            return self._slots().get(host_key(url))
        except UrlError:
            return None

    def _slots(self) -> dict[str, Slot]:
        return self._crawler.engine.downloader.slots

"""The pace of each host: what its robots.txt asks for, or what it bears, whichever is slower."""

from __future__ import annotations

import time
from collections.abc import Callable

from scrapy.core.downloader import Slot
from scrapy.crawler import Crawler

from crawler.crawl.crawl import Crawl
from crawler.politeness.host_load import HostLoad
from crawler.urls import UrlError, host_key

# Of a host, in seconds; called only when its pace changes.
CrawlDelay = Callable[[str], float]


class HostPaces:
    """Sets the pace of hosts in the frontier, for all workers, and in Scrapy's downloader, which
    paces requests that the frontier does not know of.

    Its coroutines raise FrontierError.
    """

    def __init__(self, crawler: Crawler, crawl: Crawl) -> None:
        politeness = crawl.job.politeness
        self._crawler = crawler
        self._crawl = crawl
        self._delay = crawler.settings.getfloat("DOWNLOAD_DELAY")
        self._longest_delay = politeness.longest_delay
        # Without a delay the sites are the user's own, and may be visited as fast as they answer.
        factor = politeness.delay_factor if politeness.delay else 0.0
        self._load = HostLoad(factor, politeness.delay, politeness.longest_delay)
        self._adapts = factor > 0

    async def asked(self, host: str, crawl_delay: float) -> None:
        """Note the Crawl-delay of a host, in seconds."""
        await self._set(host, max(crawl_delay, self._load.pause(host)))

    async def answered(self, host: str, seconds: float, crawl_delay: CrawlDelay) -> None:
        """Note that a host took so long to answer."""
        if self._adapts:
            await self._change(host, self._load.answered(host, seconds), crawl_delay)

    async def failed(self, host: str, crawl_delay: CrawlDelay) -> None:
        """Note that a host gave an error or no answer."""
        if self._adapts:
            await self._change(host, self._load.failed(host), crawl_delay)

    def slow_down(self, url: str, delay: float) -> None:
        """Delay the downloader's next request to a URL's host."""
        slot = self._slot(url)
        if slot is not None:
            slot.delay = max(slot.delay, self._allowed(delay))

    def visited(self, url: str) -> None:
        """Count the delay of the downloader's next request to a URL's host from now."""
        slot = self._slot(url)
        if slot is not None:
            slot.lastseen = time.monotonic()

    def _slot(self, url: str) -> Slot | None:
        """The downloader's slot of a URL's host; None if it has none now."""
        try:
            return self._slots().get(host_key(url))
        except UrlError:
            return None

    async def _change(self, host: str, pause: float | None, crawl_delay: CrawlDelay) -> None:
        if pause is not None:
            await self._set(host, max(pause, crawl_delay(host)))

    async def _set(self, host: str, seconds: float) -> None:
        slot = self._slots().get(host)
        if slot is not None:
            slot.delay = self._allowed(seconds)
        await self._crawl.frontier.pace_host(host, seconds)

    def _allowed(self, delay: float) -> float:
        return max(self._delay, min(delay, self._longest_delay))

    def _slots(self) -> dict[str, Slot]:
        return self._crawler.engine.downloader.slots

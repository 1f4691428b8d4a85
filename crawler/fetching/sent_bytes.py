"""Counts what hosts send, for the limit of a day: bodies as they arrive, and all for browsers."""

from __future__ import annotations

from typing import Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from crawler.crawl.crawl import crawl_of
from crawler.politeness.sent_sizes import BROWSER_RECEIVED, SentSizes
from crawler.urls import host_key


class SentBytes:
    """An extension; without ``politeness.daily_size_per_host`` nothing is counted."""

    def __init__(self, sizes: SentSizes) -> None:
        self._sizes = sizes

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured if nothing is to be counted, or it is not the crawl of a job."""
        try:
            sizes = crawl_of(crawler).traffic.sent
        except LookupError as error:
            raise NotConfigured(str(error)) from error
        if sizes is None:
            raise NotConfigured
        extension = cls(sizes)
        crawler.signals.connect(extension.received, signals.bytes_received)
        crawler.signals.connect(extension.received_by_browser, BROWSER_RECEIVED)
        return extension

    def received(self, data: bytes, request: Request) -> None:
        """Scrapy has received a part of a response's body."""
        self._sizes.add(host_key(request.url), len(data))

    def received_by_browser(self, host: str, size: int) -> None:
        """A browser has received so many bytes, with all that they are wrapped in."""
        self._sizes.add(host, size)

"""A Scrapy extension: somebody puts another name resolver in the place of the crawl's guard."""

from __future__ import annotations

from typing import Self

from scrapy import signals
from scrapy.crawler import Crawler

from crawler.crawl.crawl import crawl_of


class OtherResolver:
    """The reactor's own, from when the crawl has begun."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawl = crawl_of(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        made = cls(crawler)
        crawler.signals.connect(made.opened, signals.spider_opened)
        return made

    def opened(self) -> None:
        self._crawl.guard.uninstall()

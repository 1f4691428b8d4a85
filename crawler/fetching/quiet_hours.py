"""Keeps requests from hosts in their quiet hours."""

from __future__ import annotations

from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest, NotConfigured

from crawler.crawl.crawl import Crawl, crawl_of
from crawler.urls import host_key
from settings.hours import Hours


class QuietHourError(IgnoreRequest):
    """The host is not visited at this hour. wait: seconds until it is."""

    def __init__(self, host: str, wait: float) -> None:
        super().__init__(f"{host} is left alone for {wait:.0f} s more")
        self.wait = wait


class QuietHoursMiddleware:
    """Gives back URLs of hosts that are not to be visited now; no try is counted."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._hours = [Hours.of(one) for one in crawl.job.politeness.quiet_hours]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        crawl = crawl_of(crawler)
        if not crawl.job.politeness.quiet_hours:
            raise NotConfigured
        return cls(crawl)

    async def process_request(self, request: Request) -> None:
        host, now = host_key(request.url), self._crawl.now()
        wait = max(hours.left(host, now) for hours in self._hours)
        if wait:
            raise QuietHourError(host, wait)

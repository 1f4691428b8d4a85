"""Checks robots.txt before every request, spaces requests as it asks, fetches hosts' files."""

from __future__ import annotations

import contextlib
from typing import Final, Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest, NotConfigured, StopDownload
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from crawler.consent.host_signals import HostSignals
from crawler.consent.trainers import trainers_for
from crawler.crawl.crawl import Crawl, crawl_of
from crawler.fetching.host_paces import HostPaces
from crawler.fetching.leased_requests import LeasedRequest
from crawler.frontier import FrontierError
from crawler.frontier.url_meta import Kind
from crawler.politeness import shared_files
from crawler.politeness.robots import Robots
from crawler.politeness.robots_file import LARGEST
from crawler.urls import host_key

# Of a file that is sent packed, unpacked.
_LARGEST_UNPACKED: Final = 10_000_000
_UNLIMITED: Final = 0
# Files that are kept until their sitemaps are asked for, which mostly is at once.
_MOST_READ: Final = 100
# The same key as of Scrapy's own middleware.
EXEMPT: Final = "dont_obey_robotstxt"


async def fetched_outside_rules(crawler: Crawler, url: str) -> Response:
    """The response for a host's file, to which no rules apply; raises what Scrapy raises.

    Of a body, no more is downloaded than is read, nor kept if it was packed.
    """
    meta = {EXEMPT: True, "dont_redirect": True, "download_maxsize": _UNLIMITED}
    asked = Request(url, callback=NO_CALLBACK, meta=meta, dont_filter=True)
    received = 0

    def stop(data: bytes, request: Request) -> None:
        nonlocal received
        if request is asked:
            # Not before, because Scrapy refuses a body that is announced as larger.
            request.meta["download_maxsize"] = _LARGEST_UNPACKED
            received += len(data)
            if received >= LARGEST:
                raise StopDownload(fail=False)

    crawler.signals.connect(stop, signals.bytes_received)
    try:
        response = await crawler.engine.download_async(asked)
    finally:
        crawler.signals.disconnect(stop, signals.bytes_received)
    return response.replace(body=response.body[:LARGEST])


class RobotsMiddleware:
    """Checks robots.txt before every request; replaces Scrapy's own middleware.

    It also notes how hosts bear the requests, since a host's pace is the slower of both.
    """

    def __init__(self, crawler: Crawler, crawl: Crawl) -> None:
        self._crawler = crawler
        self._crawl = crawl
        self._paces = HostPaces(crawler, crawl)
        # Those that were read last, by URL, if their sitemaps are wanted.
        self._read: dict[str, Response] = {}
        politeness = crawl.job.politeness
        self._robots = Robots(
            self._fetch,
            self._paces.asked,
            politeness.robots_agent(),
            trainers=trainers_for(crawl.job.consent),
            tries=crawl.job.frontier.tries,
            longest_wait=politeness.longest_delay,
        )
        crawl.host_signals = HostSignals(self._robots, self._fetch_apart)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not crawler.settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        return cls(crawler, crawl_of(crawler))

    async def process_request(self, request: Request) -> Response | None:
        """Answers the request for a robots.txt whose sitemaps are wanted, if it was read lately."""
        if request.meta.get(EXEMPT):
            return None
        delay = await self._robots.check(request.url)
        if delay:
            self._paces.slow_down(request.url, delay)
        leased = LeasedRequest.find(request)
        if leased is None or leased.meta.kind is not Kind.ROBOTS:
            return None
        answer = self._read.pop(request.url, None)
        if answer is None:
            return None
        # Nothing is sent, so it tells nothing of the host's pace.
        request.meta[EXEMPT] = True
        return answer.replace(request=request)

    async def process_response(self, request: Request, response: Response) -> Response:
        if not request.meta.get(EXEMPT):
            host, delay = host_key(request.url), self._robots.delay_of
            # If the frontier fails, its next call ends the crawl.
            with contextlib.suppress(FrontierError):
                if shared_files.is_in_trouble(response):
                    await self._paces.failed(host, delay)
                else:
                    seconds = request.meta.get("download_latency", 0.0)
                    await self._paces.answered(host, seconds, delay)
        return response

    async def process_exception(self, request: Request, exception: Exception) -> None:
        if not request.meta.get(EXEMPT) and not isinstance(exception, IgnoreRequest):
            with contextlib.suppress(FrontierError):
                await self._paces.failed(host_key(request.url), self._robots.delay_of)

    async def _fetch(self, url: str) -> Response:
        response = await self._shared(url, self._download)
        if self._crawl.job.seeds.robots_sitemaps:
            self._read.pop(url, None)
            self._read[url] = response
            if len(self._read) > _MOST_READ:
                del self._read[next(iter(self._read))]
        return response

    async def _fetch_apart(self, url: str) -> Response:
        """As ``_fetch``, but a delay after the response before, as the frontier counts."""

        async def download(url: str) -> Response:
            # If another worker has read robots.txt, this one's downloader does not know its delay.
            self._paces.slow_down(url, self._robots.delay_of(host_key(url)))
            self._paces.visited(url)
            return await self._download(url)

        return await self._shared(url, download)

    async def _shared(self, url: str, download: shared_files.Fetch) -> Response:
        cache = self._crawl.frontier.shared_cache()
        if cache is None:
            return await download(url)
        return await shared_files.shared_response(cache, url, download)

    async def _download(self, url: str) -> Response:
        try:
            return await fetched_outside_rules(self._crawler, url)
        finally:
            # So that what waited for this comes a delay after it.
            self._paces.visited(url)

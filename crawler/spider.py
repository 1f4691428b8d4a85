"""``scrapy crawl corpus``: turns leases into requests, responses into pages, and adds links.

Every lease ends here or in the pipelines: as a page, as a rejected page, or acknowledged or
released here. A page's links are added to the frontier before the page goes to the pipelines.
"""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator
from typing import Any, Self

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, StopDownload, UsageError
from scrapy.http import Headers, Response
from scrapy.settings import BaseSettings
from twisted.python.failure import Failure

from crawler.crawl import Crawl, NotOpenError, crawl_of, register
from crawler.discovery.page_scan import ReaderError
from crawler.exit_codes import BROWSER_FAILED, FRONTIER_FAILED, STOPPED
from crawler.fetching import responses
from crawler.fetching.leased_requests import LeaseFeed, Visit, own_visit, request_of, visit_of
from crawler.frontier import FrontierError, Lease
from crawler.frontier.worker_name import WORKER
from crawler.items import Page, RejectedPage, Timings
from crawler.jobs import job_of, with_frontier
from crawler.outcomes import (
    OUT_OF_SCOPE,
    PRIVATE_ADDRESS,
    Done,
    Redirect,
    Rejection,
    Retry,
    Verdict,
)
from crawler.page_processing import Moved, PageProcessor
from crawler.redirects import Redirects
from crawler.rendering import NoBrowserError, Options, rendering_settings
from crawler.scrapy_settings import missing_components
from crawler.sitemap_processing import SitemapProcessor
from crawler.urls import address
from settings.overrides import scrapy_settings

_log = logging.getLogger(__name__)

# Bodies that are not kept are only downloaded up to this size, to keep the connection alive.
_LARGEST_UNWANTED = 65_536

Found = Page | RejectedPage | Request


class CorpusSpider(Spider):
    """Arguments: ``-a job=FILE``, or ``-a seeds=FILE -a contact=ADDRESS``."""

    name = "corpus"
    _reading: PageProcessor
    _redirects: Redirects
    _lists: SitemapProcessor

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Raises UsageError for settings with which a crawl cannot run."""
        super().update_settings(settings)
        if missing := missing_components(settings):
            raise UsageError(
                f"{cls.__name__} needs the settings of this crawler: set "
                "SCRAPY_SETTINGS_MODULE=settings.local in the environment, or begin your own with "
                f"`from settings.local import *`; missing: {', '.join(missing)}"
            )

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        job = job_of(**{key: kwargs.pop(key, None) for key in ("job", "seeds", "contact")})
        job = with_frontier(job, crawler.settings.get("FRONTIER"))
        crawl = Crawl(job, worker=kwargs.pop("worker", WORKER))
        crawler.settings.setdict(scrapy_settings(job), priority="spider")
        if job.rendering.mode != "never":
            rendering = rendering_settings(Options.of(job))
            crawler.settings.setdict(rendering, priority="spider")
        register(crawler, crawl)
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider._reading = PageProcessor(crawl, crawler)
        spider._redirects = Redirects(crawl)
        spider._lists = SitemapProcessor(crawl)
        crawler.signals.connect(spider.headers_received, signals.headers_received)
        crawler.signals.connect(spider.item_failed, signals.item_error)
        return spider

    @property
    def crawl(self) -> Crawl:
        return crawl_of(self.crawler)

    async def start(self) -> AsyncIterator[Any]:
        feeding = LeaseFeed(self.crawl, self.crawler.engine.needs_backout)
        try:
            async for lease in feeding.leases():
                visit = Visit.of(self.crawl.as_seed(lease))
                if self._is_out_of_scope(visit):
                    await self.crawl.frontier.ack(lease, OUT_OF_SCOPE)
                else:
                    yield self._request(visit, lease.url)
            if self.crawl.is_stopped or self.crawl.frontier.has_new_scope:
                raise CloseSpider(STOPPED)
        except FrontierError as error:
            raise self._fatal(error) from error
        except NotOpenError:
            # The crawl was closed meanwhile.
            return

    def _is_out_of_scope(self, visit: Visit) -> bool:
        """Whether the URL is out of a scope that was narrowed since; seeds are visited anyway."""
        if visit.is_wanted:
            return False
        lease = visit.lease
        return self.crawl.scope.refusal(address(lease.url), lease.depth) is not None

    def headers_received(self, headers: Headers, body_length: int | str, request: Request) -> None:
        """Record when the request was sent, and stop unwanted downloads."""
        visit = visit_of(request)
        if visit is None:
            return
        visit.began = time.monotonic() - request.meta.get("download_latency", 0.0)
        # Twisted gives an unknown length as a string.
        is_long = not isinstance(body_length, int) or body_length > _LARGEST_UNWANTED
        kind, kept = responses.media_type(headers), self.crawl.job.scope.content_types
        if visit.is_page and is_long and not responses.is_kept(kind, kept):
            raise StopDownload(fail=False)

    async def item_failed(self, item: object) -> None:
        """A pipeline raised an error: retry the URL, so that the lease is not held for ever."""
        page = item.page if isinstance(item, RejectedPage) else item
        if isinstance(page, Page):
            await self._release(page.lease, Retry("internal-error: pipeline"))

    async def visited(self, response: Response) -> AsyncIterator[Found]:
        visit = own_visit(response)
        self.crawl.received += len(response.body)
        try:
            async for found in self._settled(visit, response, self._judged(response)):
                yield found
        except FrontierError as error:
            raise self._fatal(error) from error
        except NoBrowserError as error:
            raise self._fatal(error, BROWSER_FAILED) from error
        except ReaderError:
            # The crawl is stopping; closing it gives the lease back uncounted.
            _log.info("not processed, because the crawl is stopping: %s", visit.lease.url)
        except Exception as error:
            _log.exception("could not process %s", visit.lease.url)
            await self._release(visit.lease, Retry(f"internal-error: {type(error).__name__}"))

    async def failed(self, failure: Failure) -> AsyncIterator[Found]:
        request: Request = failure.request  # type: ignore[attr-defined]
        visit = own_visit(request)
        refused = self.crawl.guard.refused(visit.lease.host)
        verdict = responses.judge_failure(failure.value, refused=refused)
        no_response = Response(visit.lease.url, status=0)
        try:
            async for found in self._settled(visit, no_response, verdict):
                yield found
        except FrontierError as error:
            raise self._fatal(error) from error

    def _judged(self, response: Response) -> Verdict:
        crawl, visit = self.crawl, own_visit(response)
        # The guard has checked every address; this also works if another resolver is installed.
        if response.ip_address and not crawl.policy.allows(response.ip_address):
            return Done(PRIVATE_ADDRESS)
        kept = crawl.job.scope.content_types if visit.is_page else ()
        return responses.judge(response, kept, now=crawl.now())

    async def _settled(
        self, visit: Visit, response: Response, verdict: Verdict
    ) -> AsyncIterator[Found]:
        """End the visit or continue it, according to the verdict."""
        crawl, lease = self.crawl, visit.lease
        if isinstance(verdict, Retry):
            await self._release(lease, verdict)
        elif isinstance(verdict, Done | Rejection) and not visit.is_page:
            await self._lists.give_up(visit, verdict)
        elif isinstance(verdict, Done):
            await crawl.frontier.ack(lease, verdict.outcome)
        elif isinstance(verdict, Redirect):
            url = await self._redirects.follow(visit, response.url, verdict.location)
            if url is not None:
                yield self._request(visit, url)
        elif not visit.is_page:
            await self._lists.read(visit, response)
        elif isinstance(verdict, Rejection):
            await crawl.frontier.fetched([lease])
            yield RejectedPage(self._page(visit, response), verdict)
        else:
            async for found in self._read(visit, response):
                yield found

    async def _read(self, visit: Visit, response: Response) -> AsyncIterator[Page | RejectedPage]:
        found = await self._reading.read(self._page(visit, response), response)
        if isinstance(found, Moved):
            await self._redirects.settle(visit, found.target)
        elif isinstance(found, Retry):
            await self._release(visit.lease, found)
        else:
            yield found

    async def _release(self, lease: Lease, retry: Retry) -> None:
        if retry.host_delay:
            await self.crawl.frontier.delay_host(lease.host, retry.host_delay)
        await self.crawl.frontier.release(lease, retry_after=retry.after, reason=retry.reason)

    def _request(self, visit: Visit, url: str) -> Request:
        return request_of(visit, url).replace(callback=self.visited, errback=self.failed)

    def _page(self, visit: Visit, response: Response) -> Page:
        took = time.monotonic() - visit.began if visit.began else 0.0
        return responses.page_of(
            response,
            visit.lease,
            self.crawl.now(),
            redirects=(*visit.note.via, *visit.tried[:-1]),
            timings=Timings(download=took),
        )

    def _fatal(self, error: Exception, reason: str = FRONTIER_FAILED) -> CloseSpider:
        """Record an error that stops the crawl; returns the exception that closes the spider."""
        if self.crawl.failure is None:
            self.crawl.failure = error
            _log.error("stopping the crawl: %s", error)
        return CloseSpider(reason)

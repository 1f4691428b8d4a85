"""The spider of a crawl: turns leases into requests, responses into pages, and adds links.

Every lease ends here or in the pipelines: as a page, as a rejected page, or acknowledged or
released here. A page's links are added to the frontier before the page goes to the pipelines.
"""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any, Final, Self

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, StopDownload, UsageError
from scrapy.http import Headers, Response
from scrapy.settings import BaseSettings
from twisted.python.failure import Failure

from crawler.crawl.crawl import Crawl, NotOpenError, crawl_of, register
from crawler.discovery.page_scan import ReaderError
from crawler.exit_codes import BROWSER_FAILED, FRONTIER_FAILED, NOBODY_THERE, STOPPED
from crawler.fetching import responses
from crawler.fetching.leased_requests import (
    LeasedRequest,
    LeaseFeed,
)
from crawler.fetching.reach import NobodyThereError, nobody_is_there
from crawler.frontier import FrontierError, Lease
from crawler.frontier.base import LONGEST_OUTCOME
from crawler.frontier.url_meta import Kind
from crawler.frontier.worker_name import WORKER
from crawler.items import GonePage, Page, RejectedPage, Timings, header_pairs
from crawler.outcomes import (
    BLOCKED,
    CONSENT,
    DROPPED,
    FAILED,
    GONE,
    INTERNAL_ERROR,
    NOT_FOUND,
    NOT_MODIFIED,
    OUT_OF_SCOPE,
    PRIVATE_ADDRESS,
    REDIRECT_OUT_OF_SCOPE,
    REDIRECTED,
    REFUSALS,
    ROBOTS,
    Done,
    Redirect,
    Rejection,
    Retry,
    Verdict,
)
from crawler.recrawl.observation import Observation, Seen
from crawler.rendering import NoBrowserError, RenderingOptions, rendering_settings
from crawler.spider.host_failures import SKIPPED, HostFailures
from crawler.spider.page_processing import Moved, PageProcessor
from crawler.spider.redirects import Redirects
from crawler.spider.required_components import missing_components
from crawler.spider.sitemap_processing import SitemapProcessor
from crawler.urls import address
from settings.given_job import job_of, with_frontier
from settings.overrides import scrapy_settings

_log = logging.getLogger(__name__)

# Bodies that are not kept are only downloaded up to this size, to keep the connection alive.
_LARGEST_UNWANTED = 65_536

# What outcomes mean for a known page; others are failures. What leads elsewhere is gone.
_GONE: Final = (NOT_FOUND, GONE, ROBOTS, CONSENT, REDIRECTED, REDIRECT_OUT_OF_SCOPE, *REFUSALS)
_SEEN: Final[Mapping[str, Seen]] = {
    NOT_MODIFIED: "not-modified",
    **dict.fromkeys(_GONE, "gone"),
}
_NOT_MODIFIED: Final = Done(NOT_MODIFIED)

Found = Page | RejectedPage | GonePage | Request


class CorpusSpider(Spider):
    """Arguments: ``-a job=FILE``, or ``-a seeds=FILE -a contact=ADDRESS``."""

    name = "corpus"
    _host_failures: HostFailures
    _pages: PageProcessor
    _redirects: Redirects
    _sitemaps: SitemapProcessor

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
            rendering = rendering_settings(RenderingOptions.of(job))
            crawler.settings.setdict(rendering, priority="spider")
        register(crawler, crawl)
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider._host_failures = HostFailures(crawl)
        spider._pages = PageProcessor(crawl, crawler)
        spider._redirects = Redirects(crawl)
        spider._sitemaps = SitemapProcessor(crawl)
        crawler.signals.connect(spider.headers_received, signals.headers_received)
        crawler.signals.connect(spider.item_failed, signals.item_error)
        crawler.signals.connect(spider.item_dropped, signals.item_dropped)
        return spider

    @property
    def crawl(self) -> Crawl:
        return crawl_of(self.crawler)

    async def start(self) -> AsyncIterator[Any]:
        feed = LeaseFeed(self.crawl, self.crawler.engine.needs_backout)
        try:
            async for lease in feed.leases():
                leased = LeasedRequest.of(self.crawl.as_it_is(lease), self.crawl.revisits.scope)
                if self.crawl.blocked.blocks(lease.url):
                    await self._leave_out(lease)
                elif self._host_failures.is_down(lease):
                    await self._release(lease, SKIPPED)
                elif not self._is_out_of_scope(leased):
                    yield self._request(leased, lease.url)
                elif lease.history:
                    # A page that was visited may be in scope again at its next visit.
                    found = Observation(seen="failed")
                    await self.crawl.visited(lease, OUT_OF_SCOPE, found, sent=False)
                else:
                    await self.crawl.leases.ack(lease, OUT_OF_SCOPE, sent=False)
            if self.crawl.is_called_off:
                raise CloseSpider(STOPPED)
            if await nobody_is_there(self.crawl):
                raise self._fatal(NobodyThereError(self.crawl.unreachable or {}), NOBODY_THERE)
        except FrontierError as error:
            raise self._fatal(error) from error
        except NotOpenError:
            # The crawl was closed meanwhile.
            return

    async def _leave_out(self, lease: Lease) -> None:
        """Do not visit a blocked page; one of a blocked host comes back if that is unblocked."""
        if not self.crawl.blocked.blocks_host(lease.host):
            # The frontier forgets the address of what is done.
            await self.crawl.leases.ack(lease, BLOCKED, sent=False)
        elif self.crawl.revisits.is_on:
            # Its documents were removed, so the next one is its first.
            forgotten, found = replace(lease, history=""), Observation(seen="failed")
            await self.crawl.visited(forgotten, BLOCKED, found, sent=False)
        else:
            await self.crawl.leases.release(lease, reason=BLOCKED, is_final=True, sent=False)

    def _is_out_of_scope(self, leased: LeasedRequest) -> bool:
        """Whether the URL is out of a scope that was narrowed since; seeds are visited anyway."""
        lease, crawl, found = leased.lease, self.crawl, address(leased.lease.url)
        is_list = not leased.is_page
        # The seeds of a file are pages, and so no lists.
        is_own = leased.meta.kind is Kind.ROBOTS or found.canonical in crawl.sitemaps
        if is_own if is_list else crawl.is_seed(lease):
            return False
        # As when it was found: what a seed led to need not be included, nor need lists.
        wanted = is_list or (lease.depth == 0 and bool(leased.meta.via))
        refusal = crawl.scope.refusal(found, lease.depth, wanted=wanted, anywhere=is_list)
        return refusal is not None

    def headers_received(self, headers: Headers, body_length: int | str, request: Request) -> None:
        """Record when the request was sent, and stop unwanted downloads."""
        leased = LeasedRequest.find(request)
        if leased is None:
            return
        leased.began = time.monotonic() - request.meta.get("download_latency", 0.0)
        # Twisted gives an unknown length as a string.
        is_long = not isinstance(body_length, int) or body_length > _LARGEST_UNWANTED
        kind, kept = responses.media_type(headers), self.crawl.job.scope.content_types
        if leased.is_page and is_long and not responses.is_kept(kind, kept):
            raise StopDownload(fail=False)

    async def item_failed(self, item: object) -> None:
        """A pipeline raised an error: retry the URL, so that the lease is not held for ever."""
        if lease := self._idle(item):
            await self._release(lease, Retry(f"{INTERNAL_ERROR}pipeline"))

    async def item_dropped(self, item: object) -> None:
        """A pipeline of the user's wants no more of the page: its visit ends."""
        if lease := self._idle(item):
            await self.crawl.visited(lease, DROPPED, Observation(seen="failed"))

    def _idle(self, item: object) -> Lease | None:
        """The lease of an item of this spider that no pipeline will end."""
        if not isinstance(item, Page | RejectedPage | GonePage):
            return None
        return item.lease if self.crawl.leases.is_idle(item.lease) else None

    async def visited(self, response: Response) -> AsyncIterator[Found]:
        leased = LeasedRequest.behind(response)
        self.crawl.traffic.received += len(response.body)
        try:
            async for found in self._settled(leased, response, await self._judged(response)):
                yield found
        except FrontierError as error:
            raise self._fatal(error) from error
        except NoBrowserError as error:
            raise self._fatal(error, BROWSER_FAILED) from error
        except ReaderError:
            # The crawl is stopping; closing it gives the lease back uncounted.
            _log.info("not processed, because the crawl is stopping: %s", leased.lease.url)
        except Exception as error:
            _log.exception("could not process %s", leased.lease.url)
            await self._release(leased.lease, Retry(f"{INTERNAL_ERROR}{type(error).__name__}"))

    async def failed(self, failure: Failure) -> AsyncIterator[Found]:
        request: Request = failure.request  # type: ignore[attr-defined]
        leased = LeasedRequest.behind(request)
        refused = self.crawl.guard.refused(leased.lease.host)
        verdict = responses.judge_failure(failure.value, refused=refused)
        no_response = Response(leased.lease.url, status=0)
        try:
            async for found in self._settled(leased, no_response, verdict):
                yield found
        except FrontierError as error:
            raise self._fatal(error) from error

    async def _judged(self, response: Response) -> Verdict:
        crawl, leased = self.crawl, LeasedRequest.behind(response)
        # The guard has checked every address; this also works if another resolver is installed.
        if response.ip_address and not crawl.policy.allows(response.ip_address):
            return Done(PRIVATE_ADDRESS)
        if response.status == 304 and leased.conditions:
            is_forbidden = leased.is_page and await self._pages.is_forbidden(response)
            return Done(CONSENT) if is_forbidden else _NOT_MODIFIED
        kept = crawl.job.scope.content_types if leased.is_page else ()
        return responses.judge(response, kept, now=crawl.now())

    async def _settled(
        self, leased: LeasedRequest, response: Response, verdict: Verdict
    ) -> AsyncIterator[Found]:
        """End the request or continue it, according to the verdict."""
        crawl, lease = self.crawl, leased.lease
        verdict = await self._host_failures.judged(lease, verdict)
        if isinstance(verdict, Retry):
            await self._release(lease, verdict)
        elif isinstance(verdict, Done) and (leased.is_page or verdict == _NOT_MODIFIED):
            async for gone in self._ended(leased, verdict, header_pairs(response.headers)):
                yield gone
        elif isinstance(verdict, Done | Rejection) and not leased.is_page:
            await self._sitemaps.give_up(leased, verdict)
        elif isinstance(verdict, Redirect):
            async for led in self._redirected(leased, response.url, verdict):
                yield led
        elif not leased.is_page:
            await self._sitemaps.read(leased, response)
        elif isinstance(verdict, Rejection):
            await crawl.leases.fetched([lease])
            yield RejectedPage(self._page(leased, response), verdict)
        else:
            async for found in self._read(leased, response):
                yield found

    async def _redirected(
        self, leased: LeasedRequest, asked: str, redirect: Redirect
    ) -> AsyncIterator[Request | GonePage]:
        target = await self._redirects.follow(leased, asked, redirect.location)
        if isinstance(target, str):
            yield self._request(leased, target)
        else:
            async for gone in self._ended(leased, target):
                yield gone

    async def _ended(
        self, leased: LeasedRequest, done: Done, headers: tuple[tuple[str, str], ...] = ()
    ) -> AsyncIterator[GonePage]:
        """End a visit that read no page. A known one that is gone is for the pipelines to bury."""
        seen: Seen = _SEEN.get(done.outcome, "failed")
        if seen == "gone" and leased.is_page and leased.history:
            yield GonePage(leased.lease, done.outcome, self.crawl.now())
        else:
            found = Observation(seen=seen, headers=headers)
            sent = done.sent or len(leased.tried) > 1
            await self.crawl.visited(leased.lease, done.outcome, found, sent=sent)

    async def _read(
        self, leased: LeasedRequest, response: Response
    ) -> AsyncIterator[Page | RejectedPage | GonePage]:
        found = await self._pages.read(self._page(leased, response), response)
        if isinstance(found, Moved):
            async for gone in self._ended(
                leased, await self._redirects.settle(leased, found.target)
            ):
                yield gone
        elif isinstance(found, Retry):
            await self._release(leased.lease, found)
        else:
            yield found

    async def _release(self, lease: Lease, retry: Retry) -> None:
        if retry.host_delay:
            await self.crawl.frontier.delay_host(lease.host, retry.host_delay)
        is_spent = lease.attempt >= self.crawl.job.frontier.tries
        is_last = retry.reason is not None and (is_spent or retry.is_final)
        if is_last and self.crawl.revisits.plans(lease):
            # An outage must not make an end of a page.
            outcome = f"{FAILED}{retry.reason}"[:LONGEST_OUTCOME]
            found = Observation(seen="failed", gain=0.0 if retry.of_browser else None)
            await self.crawl.visited(lease, outcome, found, sent=retry.sent)
        else:
            await self.crawl.leases.release(
                lease,
                retry_after=retry.after,
                reason=retry.reason,
                is_final=retry.is_final,
                sent=retry.sent,
            )

    def _request(self, leased: LeasedRequest, url: str) -> Request:
        return leased.request(url).replace(callback=self.visited, errback=self.failed)

    def _page(self, leased: LeasedRequest, response: Response) -> Page:
        took = time.monotonic() - leased.began if leased.began else 0.0
        page = responses.page_of(
            response,
            leased.lease,
            self.crawl.now(),
            redirects=(*leased.meta.via, *leased.tried[:-1]),
            timings=Timings(download=took),
        )
        # Not as the server may have insisted on, with a session id.
        return replace(page, url=address(response.url).url)

    def _fatal(self, error: Exception, reason: str = FRONTIER_FAILED) -> CloseSpider:
        """Record an error that stops the crawl; returns the exception that closes the spider."""
        if self.crawl.ending.fail(error):
            _log.error("stopping the crawl: %s", error)
        return CloseSpider(reason)

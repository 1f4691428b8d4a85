"""Fetches one page without a job, by the rules of a crawl.

robots.txt is obeyed for every redirect, only public addresses are visited, and headers, sizes and
times are limited. Without a frontier, there are no retries.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any, Final, Self

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.settings import Settings
from twisted.python.failure import Failure

from crawler.egress.resolver_guard import EgressGuard
from crawler.fetching.responses import judge, judge_failure, page_of
from crawler.fetching.robots_middleware import EXEMPT, fetched_outside_rules
from crawler.frontier.url_meta import MOST_REDIRECTS
from crawler.items import Page
from crawler.lease import Lease
from crawler.outcomes import (
    PRIVATE_ADDRESS,
    ROBOTS,
    ROBOTS_UNREACHABLE,
    TOO_LARGE,
    Done,
    Keep,
    Rejection,
    Retry,
    Verdict,
)
from crawler.politeness.robots import Robots
from settings import components
from settings.addresses import host_of, is_loopback
from settings.networks import AddressPolicy
from settings.tables.politeness import Politeness
from settings.tables.scope import Scope

_REDIRECTS: Final = "scrapy.downloadermiddlewares.redirect."
# The components of a crawl, without those that need a frontier.
_WITHOUT_FRONTIER: Final[dict[str, Any]] = {
    "SCHEDULER": "scrapy.core.scheduler.Scheduler",
    "ITEM_PIPELINES": {},
    "EXTENSIONS_BASE": {},
    "EXTENSIONS": {},
    "DOWNLOADER_MIDDLEWARES": {
        **components.DOWNLOADER_MIDDLEWARES,
        "crawler.fetching.robots_middleware.RobotsMiddleware": None,
        "crawler.fetching.quiet_hours.QuietHoursMiddleware": None,
        "crawler.fetching.leased_requests.LeaseMiddleware": None,
        "crawler.fetching.reach.ReachMiddleware": None,
        "crawler.fetching.single_page.RobotsGate": 100,
        f"{_REDIRECTS}MetaRefreshMiddleware": 580,
        f"{_REDIRECTS}RedirectMiddleware": 600,
    },
    "REDIRECT_MAX_TIMES": MOST_REDIRECTS,
    "LOG_LEVEL": "ERROR",
}
# Explanations of outcomes.
_EXPLANATIONS: Final = {
    PRIVATE_ADDRESS: "it is in a private network",
    ROBOTS: "robots.txt disallows it",
}


def without_frontier(politeness: Politeness) -> dict[str, Any]:
    """Scrapy's settings for a spider that has no frontier."""
    return _WITHOUT_FRONTIER | {
        "USER_AGENT": politeness.full_user_agent(),
        "ROBOTSTXT_USER_AGENT": politeness.robots_agent(),
    }


def fetch(url: str, politeness: Politeness, settings: Settings) -> Page:
    """The page at ``url``, after redirects. A process can fetch one page.

    settings: Scrapy's, of the project.
    Raises OSError if the page cannot be fetched; the message says why.
    """
    process = AsyncCrawlerProcess(settings)
    results: list[Response | OSError] = []
    spider = type("OnePage", (_OnePage,), {"custom_settings": without_frontier(politeness)})
    process.crawl(spider, url=url, results=results)
    process.start()
    if not results:
        raise OSError("not fetched: stopped")
    [result] = results
    if isinstance(result, OSError):
        raise result
    return _page(url, result)


class _OnePage(Spider):
    """Fetches one URL and stores the response or the error in ``results``."""

    name = "one-page"

    def __init__(self, url: str, results: list[Response | OSError]) -> None:
        super().__init__()
        self._url = url
        self._results = results
        self._guard = EgressGuard(AddressPolicy(loopback=is_loopback(host_of(url))))

    async def start(self) -> AsyncIterator[Any]:
        from twisted.internet import reactor  # noqa: PLC0415 - only when it is installed

        self._guard.install(reactor)
        yield Request(self._url, callback=self._keep, errback=self._note, dont_filter=True)

    async def _keep(self, response: Response) -> None:
        self._results.append(response)

    async def _note(self, failure: Failure) -> None:
        request: Request = failure.request  # type: ignore[attr-defined]
        refused = self._guard.refused(host_of(request.url))
        verdict = judge_failure(failure.value, refused=refused)
        most = self.settings.getint("DOWNLOAD_MAXSIZE")
        why = _why(request.url, failure.value, verdict, most=most)
        self._results.append(OSError(f"could not be fetched: {why}"))

    def closed(self, reason: str) -> None:
        self._guard.uninstall()


class RobotsGate:
    """Checks robots.txt before every request, as ``RobotsMiddleware`` does in a crawl."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._robots = Robots(self._fetch, no_pace, crawler.settings["ROBOTSTXT_USER_AGENT"])

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        if not request.meta.get(EXEMPT):
            await self._robots.check(request.url)

    async def _fetch(self, url: str) -> Response:
        return await fetched_outside_rules(self._crawler, url)


async def no_pace(host: str, seconds: float) -> None:
    """There is only one visit, so a Crawl-delay does not matter."""


def _why(url: str, error: BaseException | None, verdict: Verdict, *, most: int) -> str:
    """Why it could not be fetched. most: bytes of a page."""
    if isinstance(verdict, Done):
        return _EXPLANATIONS[verdict.outcome]
    if isinstance(verdict, Rejection) and verdict.reason == TOO_LARGE:
        return f"it is larger than {most:,} bytes"
    # Scrapy's own: ours are of classes that are derived from it.
    if type(error) is IgnoreRequest:
        return f"it redirects more than {MOST_REDIRECTS} times"
    # The URL that was asked for is sound, so one that it leads to is not.
    if isinstance(error, ValueError):
        return f"it redirects to what is no URL of a page: {error}"
    if isinstance(verdict, Retry) and verdict.reason == ROBOTS_UNREACHABLE:
        return f"robots.txt of {host_of(url)} is unreachable ({error}), so nothing may be fetched"
    if isinstance(verdict, Retry) and verdict.reason:
        return verdict.reason
    return str(error)


def _rejected(verdict: Rejection) -> str:
    return f"{verdict.reason} ({verdict.detail})" if verdict.detail else verdict.reason


def _page(url: str, response: Response) -> Page:
    """Raises OSError if the response is not a page."""
    now = datetime.now(UTC)
    verdict = judge(response, Scope().content_types, now=now)
    if not isinstance(verdict, Keep):
        why = _rejected(verdict) if isinstance(verdict, Rejection) else f"status {response.status}"
        where = "" if response.url == url else f"{response.url}, where it leads, "
        raise OSError(f"{where}is not a usable page: {why}")
    redirects = response.meta.get("redirect_urls", ())
    return page_of(response, Lease.of_none(url), now, redirects=redirects)

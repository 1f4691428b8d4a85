"""One page that is fetched outside any job, by the rules of a crawl: once, and now.

robots.txt is obeyed on every step of the way, addresses are guarded, and heads, sizes and times are
bounded. There is no frontier that the URL could go back to.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any, Final, Self

from scrapy import Request, Spider
from scrapy.crawler import Crawler, CrawlerProcessBase
from scrapy.http import Response
from twisted.python.failure import Failure

from crawler.egress import EgressGuard
from crawler.frontier.base import Lease
from crawler.items import Page
from crawler.notes import MOST_REDIRECTS
from crawler.responses import judge, judge_failure, page_of
from crawler.robots import EXEMPT, Robots, fetched_outside_rules
from crawler.verdicts import (
    PRIVATE_ADDRESS,
    ROBOTS,
    ROBOTS_UNREACHABLE,
    Done,
    Keep,
    Rejection,
    Retry,
    Verdict,
)
from settings import components
from settings.addresses import host_of, is_loopback
from settings.networks import AddressPolicy
from settings.tables.politeness import Politeness
from settings.tables.scope import Scope

_REDIRECTS: Final = "scrapy.downloadermiddlewares.redirect."
# What a crawl plugs in, but for all that needs a frontier.
_SETTINGS: Final[dict[str, Any]] = {
    "SCHEDULER": "scrapy.core.scheduler.Scheduler",
    "ITEM_PIPELINES": {},
    "EXTENSIONS_BASE": {},
    "EXTENSIONS": {},
    "DOWNLOADER_MIDDLEWARES": {
        **components.DOWNLOADER_MIDDLEWARES,
        "crawler.robots.RobotsMiddleware": None,
        "crawler.visits.LeaseMiddleware": None,
        "crawler.one_page.RobotsGate": 100,
        f"{_REDIRECTS}MetaRefreshMiddleware": 580,
        f"{_REDIRECTS}RedirectMiddleware": 600,
    },
    "REDIRECT_MAX_TIMES": MOST_REDIRECTS,
    "LOG_LEVEL": "ERROR",
}
# What the reports of a crawl call by one word.
_WORDS: Final = {
    PRIVATE_ADDRESS: "it leads to a private address",
    ROBOTS: "its robots.txt forbids it",
    ROBOTS_UNREACHABLE: "its robots.txt cannot be had, and without it nothing is fetched",
}


def fetch(process: CrawlerProcessBase, url: str, politeness: Politeness) -> Page:
    """The page at ``url``, redirects followed. ``process`` can crawl no more afterwards.

    Raises OSError if there is none to be had; the message says why.
    """
    answers: list[Response | OSError] = []
    named = {"USER_AGENT": politeness.full_user_agent()}
    spider = type("OnePage", (_OnePage,), {"custom_settings": _SETTINGS | named})
    process.crawl(spider, url=url, answers=answers)
    process.start()
    if not answers:
        raise OSError("was not fetched: stopped")
    [answer] = answers
    if isinstance(answer, OSError):
        raise answer
    return _page(url, answer)


def unleased(url: str) -> Lease:
    """The lease of a page that no frontier knows; nobody holds it."""
    return Lease(url, "", 0, 0, 1, 0, 0.0)


class _OnePage(Spider):
    """Fetches one URL and keeps the answer, or why there is none."""

    name = "one-page"

    def __init__(self, url: str, answers: list[Response | OSError]) -> None:
        super().__init__()
        self._url = url
        self._answers = answers
        self._guard = EgressGuard(AddressPolicy(loopback=is_loopback(host_of(url))))

    async def start(self) -> AsyncIterator[Any]:
        from twisted.internet import reactor  # noqa: PLC0415 - only when it is installed

        self._guard.install(reactor)
        yield Request(self._url, callback=self._keep, errback=self._note, dont_filter=True)

    async def _keep(self, response: Response) -> None:
        self._answers.append(response)

    async def _note(self, failure: Failure) -> None:
        request: Request = failure.request  # type: ignore[attr-defined]
        refused = self._guard.refused(host_of(request.url))
        why = _why(failure.value, judge_failure(failure.value, refused=refused))
        self._answers.append(OSError(f"could not be fetched: {why}"))

    def closed(self, reason: str) -> None:
        self._guard.uninstall()


class RobotsGate:
    """Asks robots.txt before every request, as ``RobotsMiddleware`` does in a crawl."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._robots = Robots(self._fetch, _no_pace, Politeness().robots_agent())

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        if not request.meta.get(EXEMPT):
            await self._robots.check(request.url)

    async def _fetch(self, url: str) -> Response:
        return await fetched_outside_rules(self._crawler, url)


async def _no_pace(host: str, seconds: float) -> None:
    """A single visit has no next one to wait for."""


def _why(error: BaseException | None, verdict: Verdict) -> str:
    if isinstance(verdict, Done):
        return _WORDS[verdict.outcome]
    if isinstance(verdict, Retry) and verdict.reason:
        return _WORDS.get(verdict.reason, verdict.reason)
    return str(error)


def _page(url: str, response: Response) -> Page:
    """Raises OSError if the answer is no page."""
    now = datetime.now(UTC)
    verdict = judge(response, Scope().content_types, now=now)
    if not isinstance(verdict, Keep):
        said = verdict.reason if isinstance(verdict, Rejection) else f"status {response.status}"
        raise OSError(f"{response.url} answers with {said}")
    redirects = response.meta.get("redirect_urls", ())
    return page_of(response, unleased(url), now, redirects=redirects)

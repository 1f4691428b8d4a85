"""robots.txt: asked for once for each origin, obeyed for every request (RFC 9309).

An answer of the 400s means that there are no rules. Where the server is in trouble or cannot be
reached nothing is known, so nothing is fetched: the URL goes back to the frontier, and the host
is left alone for a while.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Self
from urllib.parse import urlsplit

from protego import Protego
from scrapy import Request
from scrapy.core.downloader import Slot
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from crawler import shared_answers
from crawler.crawl import Crawl, crawl_of
from crawler.retry_after import retry_after
from crawler.robots_file import group_for, text_of
from crawler.robots_rules import ReadRules
from crawler.urls import UrlError, host_key, moved_to

_log = logging.getLogger(__name__)

# RFC 9309: a crawler follows at least five redirects.
MOST_REDIRECTS: Final = 5
# Of a larger file the rest is not parsed; one that is larger than this is not even taken.
_MOST_TAKEN: Final = 10_000_000
# RFC 9309: a copy is used for a day at most, of which some may have gone by in the fleet's cache.
_FRESH: Final = 24 * 3600.0 - shared_answers.FRESH
_FIRST_WAIT: Final = 30.0
_LONGEST_WAIT: Final = 3600.0
# What is remembered: this many origins, and this many bytes of what their files say to us.
_MOST_ORIGINS: Final = 10_000
_MOST_BYTES: Final = 64_000_000
# As for Scrapy's own middleware.
EXEMPT: Final = "dont_obey_robotstxt"


class _InTroubleError(Exception):
    """The server asks for patience. wait: for how many seconds; None if it does not say."""

    def __init__(self, wait: float | None) -> None:
        super().__init__("the server is in trouble")
        self.wait = wait


class RobotsForbiddenError(IgnoreRequest):
    """robots.txt forbids the URL."""


class RobotsUnreachableError(IgnoreRequest):
    """robots.txt could not be had, so that nothing may be fetched now.

    retry_after: seconds until it is asked for again.
    given_up: it failed so often that the host need not be waited for.
    """

    def __init__(self, message: str, retry_after: float, *, given_up: bool = False) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.given_up = given_up


Pace = Callable[[str, float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class _Rules:
    """What is known of an origin until ``expires``; ``failures`` in a row, 0 if it answered.

    group: the lines that are for us.
    """

    expires: float
    group: str = ""
    delay: float = 0.0
    problem: str = ""
    failures: int = 0


class Robots:
    """The rules of all origins.

    fetch: gets a URL without asking for rules, and follows no redirect; raises what Scrapy raises.
    pace: is told the Crawl-delay of a host, in seconds, whenever one of its files was read; 0 if
        there is none.
    agent: the product name that files may know the crawler by.
    tries: failures in a row after which a host is given up, though asked again all the same.
    longest_wait: seconds between two questions to a host in trouble, at most.
    """

    def __init__(
        self,
        fetch: shared_answers.Fetch,
        pace: Pace,
        agent: str,
        *,
        tries: int = 4,
        longest_wait: float = _LONGEST_WAIT,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._fetch = fetch
        self._pace = pace
        self._agent = agent
        self._tries = tries
        self._longest_wait = longest_wait
        self._clock = clock
        self._known: OrderedDict[str, _Rules] = OrderedDict()
        self._bytes = 0
        self._read_rules = ReadRules()
        self._asking: dict[str, asyncio.Future[_Rules]] = {}

    async def check(self, url: str) -> float:
        """Return the Crawl-delay if the URL may be fetched.

        Raises RobotsForbiddenError or RobotsUnreachableError.
        """
        rules = await self._rules(url)
        if rules.failures:
            wait = max(0.0, rules.expires - self._clock())
            given_up = rules.failures >= self._tries
            raise RobotsUnreachableError(rules.problem, wait, given_up=given_up)
        if rules.group and not self._read_rules.of(rules.group).can_fetch(url, self._agent):
            raise RobotsForbiddenError(f"robots.txt forbids {url}")
        return rules.delay

    async def _rules(self, url: str) -> _Rules:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        known = self._known.get(origin)
        if known and known.expires > self._clock():
            self._known.move_to_end(origin)
            return known
        if origin not in self._asking:
            asking = asyncio.ensure_future(self._ask(origin, known))
            self._asking[origin] = asking
            asking.add_done_callback(lambda _: self._asking.pop(origin, None))
        # Whoever else waits for it must not lose it when this request is cancelled.
        return await asyncio.shield(self._asking[origin])

    async def _ask(self, origin: str, before: _Rules | None) -> _Rules:
        try:
            rules = await self._read(f"{origin}/robots.txt")
        except _InTroubleError as error:
            rules = self._failed(str(error), before, error.wait)
        except Exception as error:
            rules = self._failed(type(error).__name__, before)
        if rules.failures:
            _log.info("%s/robots.txt cannot be had: %s", origin, rules.problem)
        self._remember(origin, rules)
        if not rules.failures:
            host = host_key(origin)
            await self._pace(host, max(rules.delay, self._delay_of(host)))
        return rules

    def _delay_of(self, host: str) -> float:
        """The longest that an origin of the host is known to ask for."""
        # Few origins have the name in them, and those are worth taking apart.
        named = [origin for origin in self._known if host in origin]
        delays = (self._known[origin].delay for origin in named if host_key(origin) == host)
        return max(delays, default=0.0)

    async def _read(self, url: str) -> _Rules:
        """Raises _InTroubleError, and what ``fetch`` raises."""
        for _ in range(MOST_REDIRECTS + 1):
            response = await self._fetch(url)
            target = _target(response)
            if target is None:
                break
            url = target
        if shared_answers.is_in_trouble(response):
            raise _InTroubleError(retry_after(response, datetime.now(UTC)))
        expires = self._clock() + _FRESH
        if response.status != 200:
            return _Rules(expires)
        group = group_for(self._agent, text_of(response.body))
        return _Rules(expires, group, _delay(self._read_rules.of(group), self._agent))

    def _failed(self, problem: str, before: _Rules | None, wait: float | None = None) -> _Rules:
        failures = (before.failures if before else 0) + 1
        growing = _FIRST_WAIT * 2.0 ** min(failures - 1, 20)
        wait = min(max(growing, wait or 0.0), self._longest_wait)
        return _Rules(self._clock() + wait, problem=problem, failures=failures)

    def _remember(self, origin: str, rules: _Rules) -> None:
        old = self._known.pop(origin, None)
        self._bytes += _size(rules) - (_size(old) if old else 0)
        self._known[origin] = rules
        while len(self._known) > _MOST_ORIGINS or self._bytes > _MOST_BYTES:
            self._bytes -= _size(self._known.popitem(last=False)[1])


def _size(rules: _Rules) -> int:
    return sys.getsizeof(rules.group)


def _target(response: Response) -> str | None:
    """Where a redirect leads, if a crawler may follow it: never to a file or another protocol."""
    location = response.headers.get(b"Location")
    if not 300 <= response.status < 400 or not location:
        return None
    try:
        return moved_to(response.url, location).url
    except UrlError:
        return None


def _delay(parser: Protego, agent: str) -> float:
    delay = parser.crawl_delay(agent)
    rate = parser.request_rate(agent)
    by_rate = rate.seconds / rate.requests if rate and rate.requests else 0.0
    found = max(float(delay or 0), float(by_rate))
    return found if 0 < found < float("inf") else 0.0


async def fetched_outside_rules(crawler: Crawler, url: str) -> Response:
    """The answer of a ``robots.txt``, which no rules are for. Raises what Scrapy raises."""
    meta = {EXEMPT: True, "dont_redirect": True, "download_maxsize": _MOST_TAKEN}
    request = Request(url, callback=NO_CALLBACK, meta=meta, dont_filter=True)
    return await crawler.engine.download_async(request)


class RobotsMiddleware:
    """Scrapy's downloader asks here before every request; takes the place of Scrapy's own."""

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
            tries=crawl.job.frontier.tries,
            longest_wait=politeness.longest_delay,
        )

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
        return await shared_answers.shared_answer(cache, url, self._download)

    async def _download(self, url: str) -> Response:
        try:
            return await fetched_outside_rules(self._crawler, url)
        finally:
            # The page that waited for this is no sooner than a delay after the answer.
            slot = self._slot(url)
            if slot is not None:
                slot.lastseen = time.monotonic()

    async def _pace(self, host: str, seconds: float) -> None:
        slot = self._slots().get(host)
        if slot is not None:
            slot.delay = self._allowed(seconds)
        await self._crawl.frontier.pace_host(host, seconds)

    def _slow_down(self, url: str, delay: float) -> None:
        """Let the downloader's own slot know, which paces what the frontier does not see."""
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

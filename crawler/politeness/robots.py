"""robots.txt: fetched once for each origin, obeyed for every request (RFC 9309).

A status of 4xx means that there are no rules. If the server fails or is unreachable, the rules are
unknown, so nothing may be fetched: the URL goes back to the frontier, and the host is left alone
for a while.
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
from typing import Final
from urllib.parse import urlsplit

from protego import Protego
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from crawler.politeness import shared_robots
from crawler.politeness.retry_after import retry_after
from crawler.politeness.robots_file import RulesCache, group_for, text_of
from crawler.urls import UrlError, host_key, moved_to

_log = logging.getLogger(__name__)

# RFC 9309: a crawler follows at least five redirects.
MOST_REDIRECTS: Final = 5
# RFC 9309: use a copy for at most a day, part of which it may have been in the fleet's cache.
_FRESH: Final = 24 * 3600.0 - shared_robots.FRESH
_FIRST_WAIT: Final = 30.0
_LONGEST_WAIT: Final = 3600.0
# Seconds of a Request-rate, at most: no job allows as long a delay, and a float could overflow.
_AGES: Final = 10**9
# Bounds of the cache: origins, and bytes of their rules for us.
_MOST_ORIGINS: Final = 10_000
_MOST_BYTES: Final = 64_000_000
Pace = Callable[[str, float], Awaitable[None]]


class _ServerError(Exception):
    """The server answered with 5xx or 429. wait: seconds of its Retry-After, or None."""

    def __init__(self, status: int, wait: float | None) -> None:
        super().__init__(f"status {status}")
        self.wait = wait


class RobotsForbiddenError(IgnoreRequest):
    """robots.txt disallows the URL."""


class RobotsUnreachableError(IgnoreRequest):
    """robots.txt could not be fetched, so nothing else may be fetched.

    retry_after: seconds until it is requested again.
    given_up: whether it has failed too often for the host to be waited for.
    """

    def __init__(self, message: str, retry_after: float, *, given_up: bool = False) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.given_up = given_up


@dataclass(frozen=True, slots=True)
class _Rules:
    """The state of an origin, valid until ``expires``.

    group: the lines of its robots.txt that are for us.
    problem, failures: why it could not be fetched, and how often in a row; 0 if it was.
    """

    expires: float
    group: str = ""
    delay: float = 0.0
    problem: str = ""
    failures: int = 0


class Robots:
    """The rules of all origins.

    fetch: fetches a URL without checking rules or following redirects; raises what Scrapy raises.
    pace: called with the Crawl-delay of a host, in seconds, whenever one of its files was read; 0
        if there is none.
    agent: the crawler's product name in robots.txt.
    tries: failures in a row after which a host is given up; it is still requested now and then.
    longest_wait: maximum seconds between two requests to a failing host.
    """

    def __init__(
        self,
        fetch: shared_robots.Fetch,
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
        self._read_rules = RulesCache()
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
            raise RobotsForbiddenError(f"robots.txt disallows {url}")
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
        # Shielded, because other requests may wait for it too.
        return await asyncio.shield(self._asking[origin])

    async def _ask(self, origin: str, before: _Rules | None) -> _Rules:
        try:
            rules = await self._read(f"{origin}/robots.txt")
        except _ServerError as error:
            rules = self._failed(str(error), before, error.wait)
        except Exception as error:
            rules = self._failed(type(error).__name__, before)
        if rules.failures:
            _log.info("could not fetch %s/robots.txt: %s", origin, rules.problem)
        self._remember(origin, rules)
        if not rules.failures:
            host = host_key(origin)
            await self._pace(host, max(rules.delay, self._delay_of(host)))
        return rules

    def _delay_of(self, host: str) -> float:
        """The longest known Crawl-delay of the host's origins."""
        # A quick filter by substring, before parsing.
        named = [origin for origin in self._known if host in origin]
        delays = (self._known[origin].delay for origin in named if host_key(origin) == host)
        return max(delays, default=0.0)

    async def _read(self, url: str) -> _Rules:
        """Raises _ServerError, and what ``fetch`` raises."""
        for _ in range(MOST_REDIRECTS + 1):
            response = await self._fetch(url)
            target = _target(response)
            if target is None:
                break
            url = target
        if shared_robots.is_in_trouble(response):
            raise _ServerError(response.status, retry_after(response, datetime.now(UTC)))
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
    """The target of a redirect; None if there is none, or it is not an http or https URL."""
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
    by_rate = min(rate.seconds, _AGES) / rate.requests if rate and rate.requests else 0.0
    found = max(float(delay or 0), float(by_rate))
    return found if 0 < found < float("inf") else 0.0

"""robots.txt: fetched once for each origin, obeyed for every request (RFC 9309).

A status of 4xx means that there are no rules. If the server fails or is unreachable, the rules are
unknown, so nothing may be fetched: the URL goes back to the frontier, and the host is left alone
for a while.
"""

from __future__ import annotations

import contextlib
import logging
import sys
import time
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from protego import Protego
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from crawler.frontier.errors import FrontierError
from crawler.politeness.connection import cause_of
from crawler.politeness.host_files import HostFiles, followed
from crawler.politeness.lifetime import age, lifetime
from crawler.politeness.retry_after import retry_after
from crawler.politeness.robots_file import (
    RulesCache,
    before_groups,
    group_for,
    licences,
    named_groups,
    text_of,
    usages,
)
from crawler.politeness.shared_files import Fetch, is_in_trouble, is_there
from crawler.urls import host_key, origin_of

_log = logging.getLogger(__name__)

_FIRST_WAIT: Final = 30.0
_LONGEST_WAIT: Final = 3600.0
# Seconds of a Request-rate, at most: no job allows as long a delay, and a float could overflow.
_AGES: Final = 10**9
# Licences that a file may name; more are not read.
_MOST_LICENCES: Final = 3
Pace = Callable[[str, float], Awaitable[None]]


class _ServerError(Exception):
    """The server answered with 5xx or 429. wait: seconds of its Retry-After, or None."""

    def __init__(self, status: int, wait: float | None) -> None:
        super().__init__(f"status {status}")
        self.wait = wait


class RobotsForbiddenError(IgnoreRequest):
    """robots.txt disallows the URL.

    asked: whether it had to be asked for, so that something was sent to the host.
    """

    def __init__(self, message: str, *, asked: bool) -> None:
        super().__init__(message)
        self.asked = asked


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
class RobotsText:
    """The lines of a robots.txt that matter to us; all empty if there is none.

    group: those for us, rewritten for ``*``.
    named: the groups of other agents that were asked for, with their names.
    usages: of each of these groups, and before the first one, those on the use of pages.
    licences: as written.
    status: of the response. read_at: when the server sent it.
    """

    status: int
    read_at: datetime
    group: str = ""
    named: tuple[tuple[tuple[str, ...], str], ...] = ()
    usages: tuple[str, ...] = ()
    licences: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Its memory, in bytes."""
        groups = (self.group, *(group for _, group in self.named))
        texts = (*groups, *self.usages, *self.licences)
        return sum(map(sys.getsizeof, texts))


@dataclass(frozen=True, slots=True)
class _Rules:
    """The state of an origin, valid until ``expires``.

    text: None if robots.txt could not be fetched; then ``problem`` says why, and ``failures`` how
    often in a row.
    """

    expires: float
    text: RobotsText | None = None
    delay: float = 0.0
    problem: str = ""
    failures: int = 0

    @property
    def size(self) -> int:
        return self.text.size if self.text else 0


class Robots:
    """The rules of all origins.

    fetch: fetches a URL without checking rules or following redirects; raises what Scrapy raises.
    pace: called with the Crawl-delay of a host, in seconds, whenever one of its files was read; 0
        if there is none. It may raise FrontierError.
    agent: the crawler's product name in robots.txt.
    trainers: their agents, whose groups are kept, for ``text``.
    tries: failures in a row after which a host is given up; it is still requested now and then.
    longest_wait: maximum seconds between two requests to a failing host.
    """

    def __init__(
        self,
        fetch: Fetch,
        pace: Pace,
        agent: str,
        *,
        trainers: Collection[str] = (),
        tries: int = 4,
        longest_wait: float = _LONGEST_WAIT,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.agent = agent
        self.read_rules = RulesCache()
        self._fetch = fetch
        self._pace = pace
        self._trainers = trainers
        self._tries = tries
        self._longest_wait = longest_wait
        self._clock = clock
        self._files = HostFiles(self._ask, clock=clock)

    async def check(self, url: str) -> float:
        """Return the Crawl-delay if the URL may be fetched.

        Raises RobotsForbiddenError or RobotsUnreachableError.
        """
        known = self._files.fresh(origin_of(url))
        rules = await self._rules(url)
        if not self.allows(_text(rules), url):
            raise RobotsForbiddenError(f"robots.txt disallows {url}", asked=rules is not known)
        return rules.delay

    async def text(self, url: str) -> RobotsText:
        """The lines of the robots.txt of a URL's origin. Raises RobotsUnreachableError."""
        return _text(await self._rules(url))

    def allows(self, text: RobotsText, url: str) -> bool:
        """Whether we may fetch a URL by its robots.txt."""
        return not text.group or self.read_rules.of(text.group).can_fetch(url, self.agent)

    async def _rules(self, url: str) -> _Rules:
        """Raises RobotsUnreachableError."""
        rules = await self._files.get(origin_of(url))
        if rules.failures:
            wait = max(0.0, rules.expires - self._clock())
            given_up = rules.failures >= self._tries
            raise RobotsUnreachableError(rules.problem, wait, given_up=given_up)
        return rules

    async def _ask(self, origin: str, before: _Rules | None) -> _Rules:
        try:
            rules = await self._read(f"{origin}/robots.txt")
        except _ServerError as error:
            rules = self._failed(str(error), before, error.wait)
        except Exception as error:
            rules = self._failed(cause_of(error), before)
        if rules.failures:
            _log.info("could not fetch %s/robots.txt: %s", origin, rules.problem)
        else:
            host = host_key(origin)
            # If the frontier fails, its next call ends the crawl.
            with contextlib.suppress(FrontierError):
                await self._pace(host, max(rules.delay, self.delay_of(host, but=origin)))
        return rules

    def delay_of(self, host: str, *, but: str = "") -> float:
        """The longest known Crawl-delay of the host's origins. but: an origin to leave out."""
        # A quick filter by substring, before parsing.
        named = [(origin, rules.delay) for origin, rules in self._files.known() if host in origin]
        delays = (delay for origin, delay in named if origin != but and host_key(origin) == host)
        return max(delays, default=0.0)

    async def _read(self, url: str) -> _Rules:
        """Raises _ServerError, and what ``fetch`` raises."""
        response = await followed(self._fetch, url)
        now = datetime.now(UTC)
        if is_in_trouble(response):
            raise _ServerError(response.status, retry_after(response, now))
        expires = self._clock() + lifetime(response)
        read_at = now - timedelta(seconds=age(response))
        if not is_there(response):
            return _Rules(expires, RobotsText(response.status, read_at))
        text = self._read_text(response, read_at)
        return _Rules(expires, text, _delay(self.read_rules.of(text.group), self.agent))

    def _read_text(self, response: Response, read_at: datetime) -> RobotsText:
        text = text_of(response.body)
        group, named = group_for(self.agent, text), named_groups(self._trainers, text)
        groups = (before_groups(text), group, *(lines for _, lines in named))
        return RobotsText(
            response.status,
            read_at,
            group,
            tuple(named),
            tuple(dict.fromkeys(filter(None, map(usages, groups)))),
            tuple(licences(text)[:_MOST_LICENCES]),
        )

    def _failed(self, problem: str, before: _Rules | None, wait: float | None = None) -> _Rules:
        failures = (before.failures if before else 0) + 1
        growing = _FIRST_WAIT * 2.0 ** min(failures - 1, 20)
        wait = min(max(growing, wait or 0.0), self._longest_wait)
        return _Rules(self._clock() + wait, problem=problem, failures=failures)


def _text(rules: _Rules) -> RobotsText:
    if rules.text is None:
        raise RobotsUnreachableError(rules.problem, 0.0)
    return rules.text


def _delay(parser: Protego, agent: str) -> float:
    delay = parser.crawl_delay(agent)
    rate = parser.request_rate(agent)
    by_rate = min(rate.seconds, _AGES) / rate.requests if rate and rate.requests else 0.0
    found = max(float(delay or 0), float(by_rate))
    return found if 0 < found < float("inf") else 0.0

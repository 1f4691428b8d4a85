"""Asks hosts' files without a job: what they say about the use of pages now.

The files are fetched by the rules of a crawl: only from public addresses, within limits of size and
time, and a second apart on each host.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from typing import Any

from scrapy import Spider
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response
from scrapy.settings import Settings

from crawler.consent.host_signals import HostSignals
from crawler.egress.resolver_guard import EgressGuard
from crawler.fetching.robots_middleware import fetched_outside_rules
from crawler.fetching.single_page import no_pace, without_frontier
from crawler.politeness.robots import Robots
from settings.networks import AddressPolicy
from settings.tables.politeness import Politeness

Work = Callable[[HostSignals], Awaitable[None]]


def with_host_signals(
    work: Work,
    politeness: Politeness,
    settings: Settings,
    *,
    trainers: Collection[str],
    loopback: bool,
) -> None:
    """Run ``work``, and raise what it raises. A process can do it once.

    settings: Scrapy's, of the project. loopback: whether this machine may be asked.
    """
    process = AsyncCrawlerProcess(settings)
    failures: list[Exception] = []
    own = without_frontier(politeness) | {"DOWNLOAD_DELAY": politeness.delay}
    spider = type("HostFilesAlone", (_Asking,), {"custom_settings": own})
    process.crawl(
        spider,
        work=work,
        agent=politeness.robots_agent(),
        trainers=trainers,
        guard=EgressGuard(AddressPolicy(loopback=loopback)),
        failures=failures,
    )
    process.start()
    if failures:
        raise failures[0]


class _Asking(Spider):
    """Does the work instead of requesting pages."""

    name = "host-files"

    def __init__(
        self,
        work: Work,
        agent: str,
        trainers: Collection[str],
        guard: EgressGuard,
        failures: list[Exception],
    ) -> None:
        super().__init__()
        self._work = work
        self._guard = guard
        self._failures = failures
        self._robots = Robots(self._fetch, no_pace, agent, trainers=trainers)

    async def start(self) -> AsyncIterator[Any]:
        from twisted.internet import reactor  # noqa: PLC0415 - only when it is installed

        self._guard.install(reactor)
        try:
            await self._work(HostSignals(self._robots, self._fetch))
        except Exception as error:
            self._failures.append(error)
        for request in list[Any]():
            yield request

    async def _fetch(self, url: str) -> Response:
        return await fetched_outside_rules(self.crawler, url)

    def closed(self, reason: str) -> None:
        self._guard.uninstall()

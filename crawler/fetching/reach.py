"""Whether anybody is there: a crawl whose seeds cannot be connected to ends, and names the causes.

Backing off helps against a server in trouble. Against a misspelt name, or a network that is down,
it would only keep the user waiting.
"""

from __future__ import annotations

from typing import ClassVar, Final, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from crawler.crawl.crawl import Crawl, crawl_of
from crawler.exit_codes import CrawlError, ExitCode
from crawler.politeness.connection import CAUSES
from crawler.urls import host_key

# Hosts that are named.
_NAMED: Final = 5


class NobodyThereError(CrawlError):
    """No host of the job can be connected to."""

    exit_code: ClassVar[ExitCode] = ExitCode.NOTHING

    def __init__(self, unreachable: dict[str, str]) -> None:
        named = [f"{host} ({cause})" for host, cause in unreachable.items()]
        more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
        super().__init__(f"no host can be connected to: {', '.join(named[:_NAMED])}{more}")


async def nobody_is_there(crawl: Crawl) -> bool:
    """Whether nothing of the job was ever done, and all that could be tried has failed to connect.

    Ask when the worker has nothing to do.
    """
    if not crawl.unreachable:
        return False
    stats = await crawl.frontier.stats()
    return not stats.done and not stats.leased


class ReachMiddleware:
    """Notes which hosts cannot be connected to, until another answers, or fails in another way."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawl_of(crawler))

    async def process_response(self, request: Request, response: Response) -> Response:
        self._crawl.unreachable = None
        return response

    async def process_exception(self, request: Request, exception: Exception) -> None:
        if self._crawl.unreachable is None or isinstance(exception, IgnoreRequest):
            return
        cause = CAUSES.get(type(exception))
        if cause:
            self._crawl.unreachable[host_key(request.url)] = cause
        else:
            self._crawl.unreachable = None

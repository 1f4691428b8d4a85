"""A visit: a lease while it is being fetched."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from crawler.crawl import Crawl, crawl_of
from crawler.discovery.lists import LARGEST
from crawler.frontier import Lease
from crawler.frontier.url_notes import Kind, Note

_KEY: Final = "visit"


@dataclass(slots=True)
class Visit:
    """The state of a lease that is being fetched.

    note: of the lease.
    tried: the requested URLs, ``lease.url`` first; more if the server redirects to other spellings.
    began: when the last request was sent, by the monotonic clock; 0 before that.
    """

    lease: Lease
    note: Note
    tried: list[str] = field(default_factory=list)
    began: float = 0.0

    @classmethod
    def of(cls, lease: Lease) -> Visit:
        try:
            note = Note.read(lease.note)
        except ValueError:  # written by another version
            note = Note()
        return cls(lease, note)

    @property
    def is_page(self) -> bool:
        return self.note.kind is Kind.PAGE

    @property
    def is_wanted(self) -> bool:
        """Whether the job itself asks for it: a seed, a list, or a page on a list."""
        return self.lease.depth == 0 or not self.is_page


def request_of(visit: Visit, url: str) -> Request:
    """The request for a URL of the visit; the spider adds the callbacks."""
    visit.tried.append(url)
    meta: dict[str, object] = {_KEY: visit, "handle_httpstatus_all": True}
    if not visit.is_page:
        meta["download_maxsize"] = LARGEST
    return Request(url, meta=meta, dont_filter=True)


class LeaseLostError(IgnoreRequest):
    """The lease was lost before its URL was requested; another worker may have it."""


class LeaseMiddleware:
    """Drops requests whose lease is lost, before they are sent."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawl_of(crawler))

    async def process_request(self, request: Request) -> None:
        visit = visit_of(request)
        if visit is not None and not self._crawl.frontier.holds(visit.lease):
            raise LeaseLostError(f"the lease of {request.url} was lost")


def visit_of(request: Request) -> Visit | None:
    """The visit that a request belongs to; None for robots.txt."""
    return request.meta.get(_KEY)


def own_visit(made: Request | Response) -> Visit:
    """The visit of a request from ``request_of``, or of its response."""
    visit: Visit = made.meta[_KEY]
    return visit

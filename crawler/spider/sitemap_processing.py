"""Processes sitemaps, feeds and robots.txt: adds the URLs that they list to the frontier."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from scrapy.http import Response

from crawler.crawl.crawl import Crawl
from crawler.discovery.sitemap_xml import SitemapError
from crawler.discovery.sitemaps import (
    DEEPEST_INDEX,
    LARGEST,
    SITEMAP_PRIORITY,
    Sitemap,
    read_sitemap,
)
from crawler.fetching.leased_requests import LeasedRequest
from crawler.frontier import Candidate
from crawler.frontier.url_meta import Kind, UrlMeta
from crawler.items import header_pairs
from crawler.outcomes import TOO_LARGE, UNREADABLE, Done, Rejection
from crawler.recrawl.hints import are_put_off, followed
from crawler.recrawl.observation import Observation
from crawler.recrawl.validators import without_validators
from crawler.urls import Address, UrlError, address

_NO_URL: Final = "no-url"
_NESTED: Final = "nested"

_log = logging.getLogger(__name__)


class SitemapProcessor:
    """Reads the sitemaps and feeds of one crawl, and logs what each one contributed."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl

    async def give_up(self, leased: LeasedRequest, verdict: Done | Rejection) -> None:
        """End the request of a sitemap that could not be fetched: it is no page, so no reject."""
        kind = leased.meta.kind
        if isinstance(verdict, Done):
            outcome = reason = verdict.outcome
        else:
            outcome, reason = f"{kind}-{verdict.reason}", verdict.reason
        if reason == TOO_LARGE:
            reason = f"larger than {LARGEST:,} bytes"
        # Many hosts have no robots.txt, and need none.
        level = logging.INFO if kind is Kind.ROBOTS else logging.WARNING
        _log.log(level, "could not read the %s %s: %s", kind.label, leased.lease.url, reason)
        await self._crawl.visited(leased.lease, outcome, Observation(seen="failed"))

    async def read(self, leased: LeasedRequest, response: Response) -> None:
        """Add the listed URLs to the frontier, then end the request."""
        crawl, lease, kind = self._crawl, leased.lease, leased.meta.kind
        since = crawl.revisits.hints_since(leased.history)
        try:
            # In a thread, because 50,000 URLs would block the event loop.
            found, listed, refused = await asyncio.to_thread(self._read, leased, response)
        except SitemapError as error:
            _log.warning("%s: %s", lease.url, error)
            await crawl.visited(lease, f"{kind}-{UNREADABLE}", Observation(seen="failed"))
            return
        candidates = await followed(listed, crawl.revisits.hints_to_follow)
        new = await crawl.add(candidates)
        _report(lease.url, kind, found, len(listed), refused)
        headers = header_pairs(response.headers)
        if are_put_off(listed, candidates, since):
            # They may be followed once more is known of the host.
            headers = without_validators(headers)
        seen = Observation(
            seen="changed" if new or leased.history is None else "unchanged",
            page_type=Kind.FEED if kind is Kind.FEED else Kind.SITEMAP,
            new_links=new,
            headers=headers,
        )
        await crawl.visited(lease, kind.label, seen)

    def _read(
        self, leased: LeasedRequest, response: Response
    ) -> tuple[Sitemap, list[Candidate], Counter[str]]:
        """The sitemap, the candidates in scope, and how many URLs were refused by reason."""
        scope, depth, meta = self._crawl.scope, leased.lease.depth, leased.meta
        found = read_sitemap(meta.kind, response.body, response.url)
        refused: Counter[str] = Counter()
        pages = [
            Candidate(url, depth, changed_at=self._crawl.revisits.hint(found.dates.get(url, "")))
            for url in _kept(found.pages, lambda page: scope.refusal(page, depth), refused)
        ]
        return found, [*pages, *self._further(found.sitemaps, meta, response.url, refused)], refused

    def _further(
        self, urls: Iterable[str], meta: UrlMeta, source: str, refused: Counter[str]
    ) -> list[Candidate]:
        """The sitemaps that may be read.

        A robots.txt may name those of any host (https://www.sitemaps.org/protocol.html, "Sitemaps &
        Cross Submits"), an index those in scope and of its own host.
        """
        own = address(source).host

        def refusal(found: Address) -> str | None:
            anywhere = meta.kind is Kind.ROBOTS or found.host == own
            return self._crawl.scope.refusal(found, 0, wanted=True, anywhere=anywhere)

        wanted, level = _kept(urls, refusal, refused), meta.level + 1
        if level > DEEPEST_INDEX:
            refused[_NESTED] += len(wanted)
            return []
        further = UrlMeta(Kind.SITEMAP, level)
        return [further.candidate(url, priority=SITEMAP_PRIORITY) for url in wanted]


def _kept(
    urls: Iterable[str], refusal_of: Callable[[Address], str | None], refused: Counter[str]
) -> list[str]:
    """The URLs that are not refused; the others are counted by reason."""
    kept = []
    for url in urls:
        try:
            refusal = refusal_of(address(url))
        except UrlError:
            refusal = _NO_URL
        if refusal is None:
            kept.append(url)
        else:
            refused[refusal] += 1
    return kept


def _report(url: str, kind: Kind, found: Sitemap, taken: int, refused: Counter[str]) -> None:
    """Log what it contributed; as a warning if there was a problem, or if that is nothing.

    But a robots.txt need not name a sitemap.
    """
    listed = len(found.pages) + len(found.sitemaps)
    message = f"{listed:,} listed, {taken:,} in scope"
    if refused:
        message += "; skipped: " + ", ".join(f"{why} {count:,}" for why, count in refused.items())
    if found.problem:
        message = f"{found.problem}; {message}"
    is_usual = taken or (kind is Kind.ROBOTS and not listed)
    level = logging.INFO if is_usual and not found.problem else logging.WARNING
    _log.log(level, "%s: %s", url, message)

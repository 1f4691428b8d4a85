"""Processes pages for the spider: adds their links to the frontier, and obeys their owners."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from scrapy.crawler import Crawler
from scrapy.http import Response

from corpus_commons.markup.dom import parse
from crawler.consent.page_signals import PageSignals
from crawler.consent.policy import Policy
from crawler.consent.signals import Signals
from crawler.consent.statement import consent_data, statements_in
from crawler.crawl.crawl import Crawl
from crawler.discovery.links import Links
from crawler.discovery.page_scan import PageScan, ScannedPage, ScanRules, ScanTask
from crawler.frontier import Candidate, Lease
from crawler.frontier.base import DEPTHS
from crawler.items import GonePage, Page, RejectedPage, header_pairs
from crawler.outcomes import CONSENT, Rejection, Retry
from crawler.recrawl.revisits import history_of
from crawler.rendering import RenderingError
from crawler.spider.page_rendering import PageRenderer
from crawler.urls import Address, UrlError, address


@dataclass(frozen=True, slots=True)
class Moved:
    """The page redirects its visitors at once, by a refresh or a script."""

    target: Address


class PageProcessor:
    """Reads the pages of one crawl."""

    def __init__(self, crawl: Crawl, crawler: Crawler) -> None:
        self._crawl = crawl
        self._crawler = crawler
        self._policy = Policy.of(crawl.job.consent)
        self._rules = ScanRules.of(crawl.job)
        self._longest_refresh = crawler.settings.getint("METAREFRESH_MAXDELAY")
        self._renderer = PageRenderer(crawl, crawler, self._target)

    async def read(
        self, page: Page, response: Response
    ) -> Page | RejectedPage | GonePage | Moved | Retry:
        """Add the page's links to the frontier; returns the page, or what else becomes of it.

        Raises ReaderError, NoBrowserError.
        """
        try:
            found, moved_to = await self._renderer.read(page, response)
        except RenderingError as error:
            return _not_rendered(page, error)
        target = self._target(found, moved_to)
        if target is not None:
            return Moved(target)
        new = await self._crawl.add(self._candidates(page.lease, found.scan.links))
        page = replace(found.page, new_links=new)
        if found.scan.empty:
            return RejectedPage(page, found.scan.empty)
        return await self._consented(page, found.scan)

    async def is_forbidden(self, response: Response) -> bool:
        """Whether the host's files, or the headers of this answer, keep a page out that has not
        changed itself.
        """
        said = ScanTask(self._rules, headers=header_pairs(response.headers), follows=False)
        signals = said.scan(parse(b""), response.url).signals
        found = statements_in(await self._consent(response.url, signals))
        return self._policy.rejection(found, self._crawl.now()) is not None

    async def _consent(self, url: str, signals: PageSignals) -> dict[str, Any]:
        """What is said of the use of a page, by itself and its host. signals: its own."""
        if self._crawl.host_signals is None:
            return consent_data(Signals.shipped().rules, (), signals.found)
        return await self._crawl.host_signals.consent(url, signals)

    async def _consented(self, page: Page, scan: PageScan) -> Page | RejectedPage | GonePage:
        """The page with what its owner says about its use; without content if that is a no.

        To the corpus a known page is gone then.
        """
        consent = await self._consent(page.url, scan.signals)
        rejection = self._policy.rejection(statements_in(consent), page.fetched_at)
        if rejection is None:
            return replace(page, consent=consent)
        if history_of(page.lease.history):
            return GonePage(page.lease, CONSENT, page.fetched_at)
        bare = replace(
            page, consent=consent, status=0, html=b"", rendered_html=None, screenshot=None
        )
        return RejectedPage(replace(bare, reading=None), rejection)

    def _target(self, read: ScannedPage, moved_to: str | None) -> Address | None:
        """Where the page redirects its visitors, by a script or a refresh; None if it does not.

        Redirects to files such as archives are downloads, so the page stays.
        """
        refresh, here = read.scan.links.refresh, address(read.page.url).canonical
        found: list[Address] = []
        if moved_to is not None:
            with contextlib.suppress(UrlError):
                found.append(address(moved_to))
        if refresh and refresh.delay <= self._longest_refresh:
            found.append(refresh.target)
        has_skipped_extension = self._crawl.scope.has_skipped_extension
        moves = (one for one in found if one.canonical != here and not has_skipped_extension(one))
        return next(moves, None)

    def _candidates(self, lease: Lease, links: Links) -> list[Candidate]:
        """The page's links and its canonical URL, one step deeper."""
        # Without a limit of depth, the deepest URLs share the largest depth that is counted.
        depth = min(lease.depth + 1, DEPTHS[-1])
        found = self._in_scope(links.links, depth)
        if links.canonical:
            found += self._in_scope((links.canonical,), depth)
        if links.refused:
            self._count("links/nofollow", links.refused)
        return found

    def _in_scope(self, found: Iterable[Address], depth: int) -> list[Candidate]:
        """The URLs in scope; the others are counted by reason."""
        candidates = []
        refused: Counter[str] = Counter()
        for target in found:
            is_sitemap = target.canonical in self._crawl.sitemaps
            refusal = "list" if is_sitemap else self._crawl.scope.refusal(target, depth)
            if refusal is None:
                candidates.append(Candidate(target.url, depth=depth))
            else:
                refused[refusal] += 1
        for refusal, number in refused.items():
            self._count(f"links/{refusal}", number)
        return candidates

    def _count(self, key: str, number: int) -> None:
        self._crawler.stats.inc_value(key, number)


def _not_rendered(page: Page, error: RenderingError) -> RejectedPage | Retry:
    if error.is_transient:
        return Retry(error.reason, is_final=error.is_final, of_browser=not error.is_final)
    return RejectedPage(page, Rejection(error.reason, error.detail))

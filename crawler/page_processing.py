"""Processes pages for the spider: renders them if need be, and adds their links to the frontier."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from scrapy.crawler import Crawler
from scrapy.http import Response

from crawler.crawl import Crawl
from crawler.discovery.links import Links
from crawler.discovery.page_scan import PageScan
from crawler.frontier import Candidate, Lease
from crawler.frontier.base import DEPTHS
from crawler.items import Page, RejectedPage
from crawler.outcomes import EMPTY, Rejection, Retry
from crawler.rendering import RenderedPage, RenderingError, render
from crawler.urls import Address, UrlError, address


@dataclass(frozen=True, slots=True)
class Moved:
    """The page redirects its visitors at once, by a refresh or a script."""

    target: Address


@dataclass(frozen=True, slots=True)
class _Seen:
    """A page and its scan. moved_to: where it tried to navigate in the browser."""

    page: Page
    scan: PageScan
    moved_to: str | None = None


class PageProcessor:
    """Reads the pages of one crawl."""

    def __init__(self, crawl: Crawl, crawler: Crawler) -> None:
        self._crawl = crawl
        self._crawler = crawler
        self._longest_refresh = crawler.settings.getint("METAREFRESH_MAXDELAY")

    async def read(self, page: Page, response: Response) -> Page | RejectedPage | Moved | Retry:
        """Add the page's links to the frontier; returns the page, or what else becomes of it.

        Raises ReaderError, NoBrowserError.
        """
        try:
            seen = await self._rendered_or_static(page, response)
        except RenderingError as error:
            static = await self._read(page) if error.is_timeout else None
            if static is None or static.scan.empty is not None:
                return _not_rendered(page, error)
            seen = static
        target = self._target(seen)
        if target is not None:
            return Moved(target)
        await self._crawl.add(self._candidates(page.lease, seen.scan.links))
        return RejectedPage(seen.page, seen.scan.empty) if seen.scan.empty else seen.page

    async def _rendered_or_static(self, page: Page, response: Response) -> _Seen:
        """The page, rendered if the job's mode says so. Raises RenderingError, and as ``read``."""
        mode, frontier = self._crawl.job.rendering.mode, self._crawl.frontier
        if mode == "never":
            await frontier.fetched([page.lease])
            return await self._read(page)
        try:
            if mode == "auto":
                seen = await self._read(page)
                if seen.scan.empty is None or seen.scan.empty.reason != EMPTY:
                    return seen
            rendered = await render(self._crawler, response)
        finally:
            # Only now is the visit over: rendering fetches resources from the host.
            await frontier.fetched([page.lease])
        return await self._rendered(page, rendered)

    async def _rendered(self, page: Page, rendered: RenderedPage) -> _Seen:
        """The page as rendered, or as served if that has more text.

        A script or style sheet that never arrives blocks the parser, so when the page is stopped,
        the text after it is missing in the DOM and the screenshot.
        """
        timings = replace(
            page.timings, render=rendered.seconds, screenshot=rendered.screenshot_seconds
        )
        shown = replace(
            page, rendered_html=rendered.html, screenshot=rendered.screenshot, timings=timings
        )
        seen = await self._read(shown)
        if not rendered.is_loaded:
            static = await self._read(page)
            if static.scan.empty is None and static.scan.characters > seen.scan.characters:
                seen = static
        return replace(seen, moved_to=rendered.moved_to)

    async def _read(self, page: Page) -> _Seen:
        found = await self._crawl.reader.read(page)
        return _Seen(found.page, found.scan)

    def _target(self, seen: _Seen) -> Address | None:
        """Where the page redirects its visitors, by a script or a refresh; None if it does not.

        Redirects to files such as archives are downloads, so the page stays.
        """
        refresh, here = seen.scan.links.refresh, address(seen.page.url).canonical
        found: list[Address] = []
        if seen.moved_to is not None:
            with contextlib.suppress(UrlError):
                found.append(address(seen.moved_to))
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
            is_list = target.canonical in self._crawl.lists
            refusal = "list" if is_list else self._crawl.scope.refusal(target, depth)
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
        return Retry(error.reason)
    return RejectedPage(page, Rejection(error.reason, error.detail))

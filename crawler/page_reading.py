"""What the spider reads off a page before it leaves: where it leads, and whether it is one.

Here a page is drawn, if the job wants that: always, or where there is nothing to see without.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from scrapy.crawler import Crawler
from scrapy.http import Response

from crawler.crawl import Crawl
from crawler.frontier import Candidate, Lease
from crawler.items import Page, RejectedPage, Rejection
from crawler.links import Links
from crawler.page_look import Look
from crawler.rendering import RenderingError, draw
from crawler.urls import Address, UrlError, address
from crawler.verdicts import EMPTY, Reject, Retry


@dataclass(frozen=True, slots=True)
class Moved:
    """The page sends its visitors elsewhere at once."""

    target: Address


@dataclass(frozen=True, slots=True)
class _Seen:
    """A page that was looked at. moved_to: where a script sent its visitors, in a browser."""

    page: Page
    look: Look
    moved_to: str | None = None


class PageReading:
    """Reads the pages of one crawl."""

    def __init__(self, crawl: Crawl, crawler: Crawler) -> None:
        self._crawl = crawl
        self._crawler = crawler
        self._longest_refresh = crawler.settings.getint("METAREFRESH_MAXDELAY")

    async def read(self, page: Page, response: Response) -> Page | RejectedPage | Moved | Retry:
        """The page with its links in the frontier, or what else is to be done with its lease."""
        try:
            seen = await self._seen(page, response)
        except RenderingError as error:
            if error.is_passing:
                return Retry(error.reason)
            return rejected(page, Reject(error.reason, error.detail))
        target = self._target(seen)
        if target is not None:
            return Moved(target)
        await self._crawl.add(self._candidates(page.lease, seen.look.links))
        return rejected(seen.page, seen.look.empty) if seen.look.empty else seen.page

    def in_scope(self, found: Iterable[Address], depth: int) -> list[Candidate]:
        """Those of the URLs that belong to the job; the others are counted by the reason."""
        candidates = []
        refused: Counter[str] = Counter()
        for target in found:
            refusal = self._crawl.scope.refusal(target, depth)
            if refusal is None:
                candidates.append(Candidate(target.url, depth=depth))
            else:
                refused[refusal] += 1
        for refusal, number in refused.items():
            self._count(f"links/{refusal}", number)
        return candidates

    async def _seen(self, page: Page, response: Response) -> _Seen:
        """The page as the job wants it seen. Raises RenderingError, ReaderError."""
        mode, frontier = self._crawl.job.rendering.mode, self._crawl.frontier
        if mode == "never":
            await frontier.fetched([page.lease])
            return await self._read(page)
        try:
            if mode == "auto":
                seen = await self._read(page)
                if seen.look.empty is None or seen.look.empty.reason != EMPTY:
                    return seen
            page, moved_to = await self._drawn(page, response)
        finally:
            # Not before: what a page shows is fetched from the host while it is drawn.
            await frontier.fetched([page.lease])
        return replace(await self._read(page), moved_to=moved_to)

    async def _drawn(self, page: Page, response: Response) -> tuple[Page, str | None]:
        """The page as a browser shows it, and where it went. Raises RenderingError."""
        drawn = await draw(self._crawler, response)
        timings = replace(page.timings, render=drawn.seconds, screenshot=drawn.screenshot_seconds)
        shown = replace(
            page, rendered_html=drawn.html, screenshot=drawn.screenshot, timings=timings
        )
        return shown, drawn.moved_to

    async def _read(self, page: Page) -> _Seen:
        found = await self._crawl.reader.read(page)
        return _Seen(found.page, found.look)

    def _target(self, seen: _Seen) -> Address | None:
        """Where the page sends its visitors at once, by a script or a refresh; None if it stays."""
        refresh, here = seen.look.links.refresh, address(seen.page.url).canonical
        found: list[Address] = []
        if seen.moved_to is not None:
            with contextlib.suppress(UrlError):
                found.append(address(seen.moved_to))
        if refresh and refresh.delay <= self._longest_refresh:
            found.append(refresh.target)
        return next((target for target in found if target.canonical != here), None)

    def _candidates(self, lease: Lease, links: Links) -> list[Candidate]:
        """What a page leads to, a step deeper: its links, and the page it says it is."""
        found = self.in_scope(links.links, lease.depth + 1)
        if links.canonical:
            found += self.in_scope((links.canonical,), lease.depth + 1)
        if links.refused:
            self._count("links/nofollow", links.refused)
        return found

    def _count(self, key: str, number: int) -> None:
        self._crawler.stats.inc_value(key, number)


def rejected(page: Page, reject: Reject) -> RejectedPage:
    return RejectedPage(page, Rejection(reject.reason, reject.detail))

"""What the spider does with a page: looks at it, and puts where it leads into the frontier.

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
from crawler.items import Page, RejectedPage
from crawler.links import Links
from crawler.page_look import Look
from crawler.rendering import Drawn, RenderingError, draw
from crawler.urls import Address, UrlError, address
from crawler.verdicts import EMPTY, Rejection, Retry


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
        """The page with its links in the frontier, or what else is to be done with its lease.

        Raises ReaderError, NoBrowserError.
        """
        try:
            seen = await self._seen(page, response)
        except RenderingError as error:
            static = await self._read(page) if error.is_timeout else None
            if static is None or static.look.empty is not None:
                return _undrawn(page, error)
            seen = static
        target = self._target(seen)
        if target is not None:
            return Moved(target)
        await self._crawl.add(self._candidates(page.lease, seen.look.links))
        return RejectedPage(seen.page, seen.look.empty) if seen.look.empty else seen.page

    async def _seen(self, page: Page, response: Response) -> _Seen:
        """The page as the job wants it seen. Raises RenderingError, and as ``read``."""
        mode, frontier = self._crawl.job.rendering.mode, self._crawl.frontier
        if mode == "never":
            await frontier.fetched([page.lease])
            return await self._read(page)
        try:
            if mode == "auto":
                seen = await self._read(page)
                if seen.look.empty is None or seen.look.empty.reason != EMPTY:
                    return seen
            drawn = await draw(self._crawler, response)
        finally:
            # Not before: what a page shows is fetched from the host while it is drawn.
            await frontier.fetched([page.lease])
        return await self._shown(page, drawn)

    async def _shown(self, page: Page, drawn: Drawn) -> _Seen:
        """The page as the browser shows it, or as it was served.

        A script or a style sheet that never comes holds up the parser, which then is stopped
        there: the text after it was served, and is not shown, nor in the picture.
        """
        timings = replace(page.timings, render=drawn.seconds, screenshot=drawn.screenshot_seconds)
        shown = replace(
            page, rendered_html=drawn.html, screenshot=drawn.screenshot, timings=timings
        )
        seen = await self._read(shown)
        if not drawn.is_loaded:
            static = await self._read(page)
            if static.look.empty is None and static.look.characters > seen.look.characters:
                seen = static
        return replace(seen, moved_to=drawn.moved_to)

    async def _read(self, page: Page) -> _Seen:
        found = await self._crawl.reader.read(page)
        return _Seen(found.page, found.look)

    def _target(self, seen: _Seen) -> Address | None:
        """Where the page sends its visitors at once, by a script or a refresh; None if it stays.

        It stays where that is a file for them to keep.
        """
        refresh, here = seen.look.links.refresh, address(seen.page.url).canonical
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
        """What a page leads to, a step deeper: its links, and the page it says it is."""
        found = self._in_scope(links.links, lease.depth + 1)
        if links.canonical:
            found += self._in_scope((links.canonical,), lease.depth + 1)
        if links.refused:
            self._count("links/nofollow", links.refused)
        return found

    def _in_scope(self, found: Iterable[Address], depth: int) -> list[Candidate]:
        """Those of the URLs that belong to the job; the others are counted by the reason."""
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


def _undrawn(page: Page, error: RenderingError) -> RejectedPage | Retry:
    if error.is_passing:
        return Retry(error.reason)
    return RejectedPage(page, Rejection(error.reason, error.detail))

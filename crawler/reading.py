"""What the spider reads off a page before it leaves: where it leads, and whether it is one.

Here a page is drawn, if the job wants that: always, or where there is nothing to see without.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from scrapy.crawler import Crawler
from scrapy.http import Response

from crawler.crawl import Crawl
from crawler.frontier import Candidate, Lease
from crawler.items import Page, RejectedPage, Rejection
from crawler.links import Links, links_of, tree_of
from crawler.rendering import RenderingError, draw
from crawler.responses import EMPTY, Reject, Retry
from crawler.shells import emptiness
from crawler.urls import Address, address
from markup import MarkupError


@dataclass(frozen=True, slots=True)
class Moved:
    """The page sends its visitors elsewhere at once."""

    target: Address


class PageReading:
    """Reads the pages of one crawl."""

    def __init__(self, crawl: Crawl, crawler: Crawler) -> None:
        self._crawl = crawl
        self._crawler = crawler
        self._longest_refresh = crawler.settings.getint("METAREFRESH_MAXDELAY")

    async def read(self, page: Page, response: Response) -> Page | RejectedPage | Moved | Retry:
        """The page with its links in the frontier, or what else is to be done with its lease."""
        mode = self._crawl.job.rendering.mode
        try:
            if mode == "always":
                page = await self._drawn(page, response)
            links, empty = self._read(page)
            if mode == "auto" and empty is not None and empty.reason == EMPTY:
                page = await self._drawn(page, response)
                links, empty = self._read(page)
        except MarkupError as error:
            return rejected(page, Reject("unreadable", str(error)))
        except RenderingError as error:
            if error.is_passing:
                return Retry(error.reason)
            return rejected(page, Reject(error.reason, error.detail))
        refresh = links.refresh
        if refresh and refresh.delay <= self._longest_refresh:
            here = address(page.url).canonical
            if refresh.target.canonical != here:
                return Moved(refresh.target)
        await self._crawl.add(self._candidates(page.lease, links))
        return rejected(page, empty) if empty else page

    def in_scope(self, found: Iterable[Address], depth: int) -> list[Candidate]:
        """Those of the URLs that belong to the job; the others are counted by the reason."""
        candidates = []
        for target in found:
            refusal = self._crawl.scope.refusal(target, depth)
            if refusal is None:
                candidates.append(Candidate(target.url, depth=depth))
            else:
                self._count(f"links/{refusal}", 1)
        return candidates

    def _read(self, page: Page) -> tuple[Links, Reject | None]:
        politeness = self._crawl.job.politeness
        drawn = page.rendered_html is not None
        tree = tree_of(page.rendered_html or page.html, None if drawn else page.charset)
        links = links_of(
            tree,
            page.url,
            nofollow=politeness.nofollow,
            robots_header=[value for name, value in page.headers if name == "x-robots-tag"],
            agent=politeness.robots_agent(),
        )
        return links, emptiness(tree, scripts_ran=drawn)

    async def _drawn(self, page: Page, response: Response) -> Page:
        """The page as a browser shows it. Raises RenderingError."""
        drawn = await draw(self._crawler, response)
        return replace(
            page,
            rendered_html=drawn.html,
            screenshot=drawn.screenshot,
            timings=replace(
                page.timings, render=drawn.seconds, screenshot=drawn.screenshot_seconds
            ),
        )

    def _candidates(self, lease: Lease, links: Links) -> list[Candidate]:
        """What a page leads to: its links a step deeper, and the page it says it is."""
        found = self.in_scope(links.links, lease.depth + 1)
        if links.canonical:
            found += self.in_scope((links.canonical,), lease.depth)
        if links.refused:
            self._count("links/nofollow", links.refused)
        return found

    def _count(self, key: str, number: int) -> None:
        self._crawler.stats.inc_value(key, number)


def rejected(page: Page, reject: Reject) -> RejectedPage:
    return RejectedPage(page, Rejection(reject.reason, reject.detail))

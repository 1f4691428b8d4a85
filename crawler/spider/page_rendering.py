"""Reads a page as it was served, as rendered, or both, as the job's mode says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from scrapy.crawler import Crawler
from scrapy.http import Response

from crawler.adaptive.backlog import Backlog
from crawler.adaptive.decider import Decider, Decision, outcome_of
from crawler.crawl.crawl import Crawl
from crawler.discovery.page_scan import Reader, ScannedPage
from crawler.items import Page
from crawler.rendering import RenderedPage, RenderingError, render
from crawler.urls import Address

Read = tuple[ScannedPage, str | None]
"""A page that was read, and where it tried to navigate when it was rendered."""

# Of a gain, after the decimal point.
_DIGITS: Final = 4


class PageRenderer:
    """Reads the pages of one crawl, and ends their visits.

    target: where a page redirects its visitors, given where it tried to navigate; None if it stays.
    """

    def __init__(
        self,
        crawl: Crawl,
        crawler: Crawler,
        target: Callable[[ScannedPage, str | None], Address | None],
    ) -> None:
        self._crawl = crawl
        self._crawler = crawler
        self._target = target
        self._backlog = Backlog(crawl.job.limits.pages)

    async def read(self, page: Page, response: Response) -> Read:
        """Raises RenderingError, ReaderError, NoBrowserError."""
        mode, served = self._crawl.job.rendering.mode, _ServedPage(page, self._crawl.reader)
        if mode == "never":
            await self._end_visit(page)
            return await served.read(), None
        if self._crawl.decider is not None:
            return await self._decided(self._crawl.decider, served, response)
        rendered = None
        try:
            if mode == "always" or (await served.read()).scan.needs_browser:
                rendered = await self._rendered(served, response)
        finally:
            # Only now: rendering fetches resources from the host.
            await self._end_visit(page)
        if rendered is None:
            return await served.read(), None
        found = await self._more_complete(served, rendered)
        return await self._with_content(served, found, rendered), rendered.moved_to

    async def _decided(self, decider: Decider, served: _ServedPage, response: Response) -> Read:
        """The page as it is decided from what was served."""
        rendered = None
        try:
            static = await served.read()
            decision = decider.decide(static, await self._pages_left())
            if decision.loses_text:
                raise RenderingError("render-budget", served.page.url)
            if decision.renders:
                rendered = await self._tried(decider, decision, served, response)
        finally:
            await self._end_visit(served.page)
        if rendered is None:
            return _noted(static, decision), None
        found = await self._more_complete(served, rendered)
        outcome = outcome_of(static, found, moved=self._moves(found, rendered))
        decider.learn(decision, outcome)
        kept = await self._with_content(served, found, rendered)
        if decision.needs_browser and kept.page.rendered_html is None:
            # An earlier visit has shown that the page has more text than was served.
            if rendered.is_loaded:
                raise RenderingError("render-failed", served.page.url)
            raise RenderingError("render-timeout", served.page.url)
        gain = outcome.gain if outcome is not None and kept is found else None
        return _noted(kept, decision, gain), rendered.moved_to

    async def _tried(
        self, decider: Decider, decision: Decision, served: _ServedPage, response: Response
    ) -> RenderedPage | None:
        """As ``_rendered``; what fails is learned from."""
        self._backlog.rendering += 1
        try:
            rendered = await self._rendered(served, response, needed=decision.needs_browser)
        except RenderingError:
            decider.learn(decision, None)
            raise
        finally:
            self._backlog.rendering -= 1
        if rendered is None:
            decider.learn(decision, None)
        return rendered

    async def _rendered(
        self, served: _ServedPage, response: Response, *, needed: bool = False
    ) -> RenderedPage | None:
        """None if that fails, and the page is used as it was served; not if it is ``needed``.

        Raises RenderingError, NoBrowserError.
        """
        try:
            return await render(self._crawler, response)
        except RenderingError as error:
            is_over = not needed and self._is_over(served.page, error)
            if is_over and (await served.read()).scan.empty is None:
                return None
            raise

    def _is_over(self, page: Page, error: RenderingError) -> bool:
        """Whether a page that could not be rendered is used as it was served, if it has content.

        What took down its process or browser may have been another page, so all tries are made.
        """
        is_last = page.lease.attempt >= self._crawl.job.frontier.tries
        return error.is_timeout or (error.is_transient and is_last)

    async def _pages_left(self) -> int:
        """How many pages are known to come, with this one, for a budget; 0 without one."""
        table = self._crawl.job.rendering
        if table.budget_pages is None and table.budget_time is None:
            return 0
        return await self._backlog.take(self._crawl.leases)

    async def _end_visit(self, page: Page) -> None:
        """Let the host's next visit come; to ask for what its files say is part of this one."""
        if self._crawl.host_signals is not None:
            await self._crawl.host_signals.ask(page.url)
        await self._crawl.leases.fetched([page.lease])

    async def _more_complete(self, served: _ServedPage, rendered: RenderedPage) -> ScannedPage:
        """The page as rendered, or as served if that has more text.

        A script or style sheet that never arrives blocks the parser, so when the page is stopped,
        the text after it is missing in the DOM and the screenshot.
        """
        page = served.page
        timings = replace(
            page.timings, render=rendered.seconds, screenshot=rendered.screenshot_seconds
        )
        shown = replace(
            page, rendered_html=rendered.html, screenshot=rendered.screenshot, timings=timings
        )
        said = served.found.scan.signals if served.found is not None else None
        found = await self._crawl.reader.read(shown, said)
        if not rendered.is_loaded:
            static = await served.read()
            if static.scan.empty is None and static.scan.characters > found.scan.characters:
                return static
        return found

    async def _with_content(
        self, served: _ServedPage, found: ScannedPage, rendered: RenderedPage
    ) -> ScannedPage:
        """The page, as it was served if its scripts leave nothing of its content.

        Not if they lead elsewhere: then nobody was to see what is left.
        """
        if found.scan.empty is None or self._moves(found, rendered):
            return found
        static = await served.read()
        return static if static.scan.empty is None else found

    def _moves(self, found: ScannedPage, rendered: RenderedPage) -> bool:
        """Whether the page redirects its visitors."""
        return self._target(found, rendered.moved_to) is not None


class _ServedPage:
    """A page as it was served, which is read once, when that is first asked for.

    found: what was read; None before.
    """

    def __init__(self, page: Page, reader: Reader) -> None:
        self.page = page
        self._reader = reader
        self.found: ScannedPage | None = None

    async def read(self) -> ScannedPage:
        """Raises ReaderError."""
        if self.found is None:
            self.found = await self._reader.read(self.page)
        return self.found


def _noted(found: ScannedPage, decision: Decision, gain: float | None = None) -> ScannedPage:
    """The page, with why it is as it is."""
    gain = None if gain is None else round(gain, _DIGITS)
    page = replace(found.page, rendering_reason=decision.reason, rendering_gain=gain)
    return replace(found, page=page)

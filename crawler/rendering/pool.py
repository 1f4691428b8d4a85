"""A pool of browser tabs, whose contexts and browsers are replaced after a number of pages.

Chromium and Playwright leak some memory for every page until its context or the browser is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Protocol

from playwright.async_api import Browser, Error

from crawler.rendering.browser_process import CLOSING, OPENING, BrowserProcess, Context
from crawler.rendering.options import RenderingOptions
from crawler.rendering.requests import NoBrowserError, RenderedPage, RenderingError, ServedPage
from crawler.rendering.tab import HEIGHT, INITIAL, WIDTH, Tab

_log = logging.getLogger(__name__)

_LAUNCHING = 70.0


class Counter(Protocol):
    """The part of Scrapy's statistics that is used here."""

    def inc_value(self, key: str, count: int = 1, start: int = 0) -> None: ...


class BrowserPool:
    """Renders up to ``options.concurrency`` pages at a time. ``launch`` starts a browser."""

    def __init__(
        self,
        launch: Callable[[], Awaitable[Browser]],
        options: RenderingOptions,
        statistics: Counter | None = None,
    ) -> None:
        self._launch = launch
        self._options = options
        self._statistics = statistics
        self._room = asyncio.Semaphore(options.concurrency)
        self._lock = asyncio.Lock()
        self._current: BrowserProcess | None = None
        # Why no browser can be started, once that is known.
        self._failure: str | None = None
        self._browsers: set[BrowserProcess] = set()

    async def render(self, served: ServedPage) -> RenderedPage:
        """Render a page; if the browser dies, retry once in a new one.

        Raises RenderingError, or NoBrowserError if no browser can be started.
        """
        async with self._room:
            for _ in range(2):
                try:
                    return await self._render(served)
                except Error as error:
                    self._count("browser_lost")
                    reason = str(error).partition("\n")[0]
                    _log.warning("the browser died while rendering %s: %s", served.url, reason)
        raise RenderingError("browser-lost", f"{served.url}: {reason}")

    async def close(self) -> None:
        """Close all browsers."""
        async with self._lock:
            self._current = None
            ending, self._browsers = self._browsers, set()
        await asyncio.gather(*(browser.end() for browser in ending))

    async def _render(self, served: ServedPage) -> RenderedPage:
        async with self._tab() as (browser, tab):
            rendered = await browser.answer(tab.render(served))
            self._count("pages")
            return rendered

    @contextlib.asynccontextmanager
    async def _tab(self) -> AsyncIterator[tuple[BrowserProcess, Tab]]:
        """A tab for one page. After a failure, the tab is closed, and a dead browser replaced."""
        context = await self._context()
        context.busy += 1
        browser = context.browser
        tab = context.idle.pop() if context.idle else None
        is_sound = False
        try:
            if tab is not None and tab.is_crashed:
                await browser.answer(tab.close(), CLOSING)
                tab = None
            if tab is None:
                tab = await browser.answer(Tab.open(context.context, self._options), OPENING)
            yield browser, tab
            is_sound = True
        except Error as error:
            # The same error is raised if a page replaces its document while it is read.
            if not await browser.is_alive():
                raise
            self._count("render-failed")
            raise RenderingError("render-failed", str(error).partition("\n")[0]) from error
        except RenderingError as error:
            self._count(error.reason)
            raise
        finally:
            context.busy -= 1
            await self._give_back(context, tab, is_sound)

    async def _give_back(self, context: Context, tab: Tab | None, is_sound: bool) -> None:
        browser = context.browser
        try:
            if tab is not None and is_sound and browser.current is context:
                await browser.answer(tab.rest(), CLOSING)
                context.idle.append(tab)
            elif tab is not None:
                await browser.answer(tab.close(), CLOSING)
            if browser.current is not context and not context.busy:
                browser.contexts.discard(context)
                await browser.answer(context.context.close(), CLOSING)
        except Error:
            await browser.is_alive()
        await self._end_unused()

    async def _end_unused(self) -> None:
        for browser in [other for other in self._browsers if other is not self._current]:
            if browser.is_broken or not any(context.busy for context in browser.contexts):
                self._browsers.discard(browser)
                await browser.end()

    async def _context(self) -> Context:
        """The context for the next page; replaces context and browser if need be."""
        async with self._lock:
            browser = self._current
            if (
                browser is None
                or not browser.is_usable
                or browser.pages >= self._options.pages_per_browser
            ):
                browser = self._current = await self._new_browser()
            context = browser.current
            if context is None or context.pages >= self._options.pages_per_context:
                try:
                    context = await self._new_context(browser)
                except Error:
                    browser.is_broken = True
                    raise
            browser.pages += 1
            context.pages += 1
        return context

    async def _new_browser(self) -> BrowserProcess:
        browser = BrowserProcess(await self._launched())
        try:
            await browser.bound_pages()
        except BaseException:
            await browser.end()
            raise
        self._browsers.add(browser)
        self._count("browsers")
        return browser

    async def _launched(self) -> Browser:
        """Raises NoBrowserError; after the first time at once, because pages wait for this."""
        if self._failure is None:
            try:
                async with asyncio.timeout(_LAUNCHING):
                    return await self._launch()
            except TimeoutError:
                self._failure = f"it did not start within {_LAUNCHING:g} s"
            except Exception as error:
                self._failure = str(error).partition("\n")[0]
        raise NoBrowserError(f"no browser can be started: {self._failure}")

    async def _new_context(self, browser: BrowserProcess) -> Context:
        language = self._options.accept_language
        opening = browser.browser.new_context(
            viewport={"width": WIDTH, "height": HEIGHT},
            user_agent=self._options.user_agent,
            locale=language.partition(",")[0] if language else None,
            extra_http_headers={"Accept-Language": language} if language else None,
            service_workers="block",
            accept_downloads=False,
            reduced_motion="reduce",
        )
        opened = await browser.answer(opening, OPENING)
        await browser.answer(opened.add_init_script(INITIAL), OPENING)
        old, browser.current = browser.current, Context(browser, opened)
        browser.contexts.add(browser.current)
        self._count("contexts")
        if old is not None and not old.busy:
            browser.contexts.discard(old)
            await browser.answer(old.context.close(), CLOSING)
        return browser.current

    def _count(self, name: str) -> None:
        if self._statistics is not None:
            self._statistics.inc_value(f"rendering/{name}")

"""A pool of browser tabs, whose contexts and browsers are replaced after a number of pages.

Each tab has a context of its own, because tabs of one context share cookies and storage. Chromium
and Playwright leak some memory for every page until its context or the browser is closed.
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
from crawler.urls import host_if_any

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
        async with self._tab(host_if_any(served.url)) as (browser, tab):
            rendered = await browser.answer(tab.render(served))
            self._count("pages")
            return rendered

    @contextlib.asynccontextmanager
    async def _tab(self, host: str) -> AsyncIterator[tuple[BrowserProcess, Tab]]:
        """A tab for one page. After a failure, it is closed, and a dead browser replaced."""
        browser = await self._browser()
        context = None
        is_sound = False
        try:
            context = await self._context(browser, host)
            yield browser, context.tab
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
            browser.busy -= 1
            if context is not None:
                await self._give_back(browser, context, is_sound)
            await self._end_unused()

    async def _give_back(self, browser: BrowserProcess, context: Context, is_sound: bool) -> None:
        try:
            if is_sound and context.pages < self._options.pages_per_context:
                await browser.answer(context.tab.rest(), CLOSING)
                browser.idle.append(context)
            else:
                await browser.answer(context.close(), CLOSING)
        except Error:
            await browser.is_alive()

    async def _end_unused(self) -> None:
        for browser in [other for other in self._browsers if other is not self._current]:
            if browser.is_broken or not browser.busy:
                self._browsers.discard(browser)
                await browser.end()

    async def _browser(self) -> BrowserProcess:
        """The browser for the next page; replaces it if need be."""
        async with self._lock:
            browser = self._current
            if (
                browser is None
                or not browser.is_usable
                or browser.pages >= self._options.pages_per_browser
            ):
                browser = self._current = await self._new_browser()
            browser.pages += 1
            browser.busy += 1
        return browser

    async def _context(self, browser: BrowserProcess, host: str) -> Context:
        """The context for a page of this host; a browser that cannot open one is broken.

        Raises playwright's Error.
        """
        context = browser.take(host)
        if context is not None and context.tab.is_crashed:
            await self._give_back(browser, context, is_sound=False)
            context = None
        if context is None:
            try:
                context = await browser.answer(self._new_context(browser.browser), OPENING)
            except Error:
                browser.is_broken = True
                raise
        context.pages += 1
        context.hosts.add(host)
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

    async def _new_context(self, browser: Browser) -> Context:
        language = self._options.accept_language
        opened = await browser.new_context(
            viewport={"width": WIDTH, "height": HEIGHT},
            user_agent=self._options.user_agent,
            locale=language.partition(",")[0] if language else None,
            extra_http_headers={"Accept-Language": language} if language else None,
            service_workers="block",
            accept_downloads=False,
            reduced_motion="reduce",
        )
        await opened.add_init_script(INITIAL)
        self._count("contexts")
        return Context(opened, await Tab.open(opened, self._options))

    def _count(self, name: str) -> None:
        if self._statistics is not None:
            self._statistics.inc_value(f"rendering/{name}")

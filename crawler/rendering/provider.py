"""Provides browsers to scrapy-playwright, behind the proxy and with our switches."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any

from playwright.async_api import (
    Browser,
    BrowserContext,
    Error,
    Playwright,
    async_playwright,
)
from scrapy.exceptions import NotSupported
from scrapy_playwright.handler import Config

from crawler.rendering.browser import launch_options
from crawler.rendering.proxy import EgressProxy

_log = logging.getLogger(__name__)
_LAUNCH_MS = 60_000
_STOPPING = 5.0


class GuardedBrowser:
    """For the setting ``PLAYWRIGHT_BROWSER_PROVIDER``; ``PLAYWRIGHT_LAUNCH_OPTIONS`` override ours.

    All its browsers use one proxy. If Playwright's driver process has died, it is restarted.
    """

    def __init__(self, config: Config) -> None:
        self.proxy = EgressProxy()
        self._config = config
        self._driver = contextlib.AsyncExitStack()
        self._playwright: Playwright | None = None

    async def start(self) -> None:
        await self.proxy.__aenter__()
        await self._start_driver()

    async def launch_browser(self) -> Browser:
        """A new browser. Raises playwright's Error; if none is installed, it says what to do."""
        try:
            return await self._launch()
        except Error as error:
            if "Executable doesn't exist" in str(error):
                raise
            _log.warning("could not start a browser, restarting Playwright's driver: %s", error)
        await self._stop_driver()
        await self._start_driver()
        return await self._launch()

    async def launch_persistent_context(self, context_kwargs: dict[str, Any]) -> BrowserContext:
        raise NotSupported("persistent contexts would carry state from one crawl into the next")

    async def close(self) -> None:
        await self._stop_driver()
        await self.proxy.__aexit__()

    async def _launch(self) -> Browser:
        if self._playwright is None:
            raise RuntimeError("start() must be awaited before launch_browser()")
        options = {**launch_options(self.proxy.url), **self._config.launch_options}
        return await self._playwright.chromium.launch(timeout=_LAUNCH_MS, **options)

    async def _start_driver(self) -> None:
        self._playwright = await self._driver.enter_async_context(async_playwright())

    async def _stop_driver(self) -> None:
        self._playwright = None
        # A dead driver does not respond.
        with contextlib.suppress(TimeoutError, Error):
            async with asyncio.timeout(_STOPPING):
                await self._driver.aclose()

"""Starts browsers for scrapy-playwright, behind the proxy and with our switches."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from typing import Any, Final

from playwright.async_api import (
    Browser,
    BrowserContext,
    Error,
    Playwright,
    async_playwright,
)
from scrapy.exceptions import NotSupported
from scrapy_playwright.handler import Config

from corpus_commons.browser import system_browser
from corpus_commons.temporary_folder import TemporaryFolder
from crawler.egress.browser_proxy import EgressProxy
from crawler.rendering.blocklist import hosts

# Playwright adds more switches, which turn off Chromium's background activity.
_SWITCHES: Final = (
    "--hide-scrollbars",  # a scrollbar makes the page narrower than the viewport
    "--mute-audio",
    "--block-new-web-contents",  # no pop-up windows
    "--disable-gpu",  # servers have none: save its process
    # One process renders a page with all its frames. A process for each advertisement costs more
    # than it protects, because there are no logins to steal.
    "--disable-site-isolation-trials",
    # Do not fetch web fonts: with a system font, the text has nearly the same width.
    "--blink-settings=downloadableBinaryFontsEnabled=false",
    # V8's heap in MB; a page that exceeds it only crashes itself. For other memory see
    # ``browser_process``.
    "--js-flags=--max-old-space-size=512",
    # This replaces Playwright's own switch, so it begins with the two features of that.
    "--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies"
    # A tab keeps its frame and its compositor for the next page, unless it has crashed.
    ",RenderDocument:level/crashed-frame"
    # One process less; if it dies, the browser is replaced anyway.
    ",NetworkServiceInProcess2"
    # No prefetches by speculation rules: allow zero at a time.
    ",PrefetchSchedulerTesting"
    ":kPrefetchSchedulerTestingActiveSetSizeLimitForBase/0"
    "/kPrefetchSchedulerTestingActiveSetSizeLimitForBurst/0",
    # Nothing bypasses the proxy, neither UDP nor DNS lookups.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
_log = logging.getLogger(__name__)
_LAUNCH_MS = 60_000
_STARTING = 30.0
_STOPPING = 5.0


def launch_options(proxy: str) -> dict[str, Any]:
    """Arguments of Playwright's ``launch``; ``proxy`` is a URL such as ``socks5://127.0.0.1:9``.

    The sandbox is on unless the crawler runs as root, because Chromium has none then.
    """
    return {
        "executable_path": system_browser(),
        "args": list(_SWITCHES),
        # Chromium limits how often a page may change its URL, which Playwright turns off for tests.
        "ignore_default_args": ["--disable-ipc-flooding-protection"],
        "chromium_sandbox": hasattr(os, "geteuid") and os.geteuid() != 0,
        # Playwright also sends requests to loopback through the proxy.
        "proxy": {"server": proxy, "bypass": hosts()},
        # The crawler handles Ctrl-C and SIGTERM: it lets pages finish, then closes the browser.
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
    }


class GuardedBrowserProvider:
    """For the setting ``PLAYWRIGHT_BROWSER_PROVIDER``; ``PLAYWRIGHT_LAUNCH_OPTIONS`` override ours.

    All its browsers use one proxy. If Playwright's driver process has died, it is restarted.
    """

    def __init__(self, config: Config) -> None:
        self.proxy = EgressProxy()
        self._config = config
        self._folder = TemporaryFolder()
        self._driver = contextlib.AsyncExitStack()
        self._playwright: Playwright | None = None

    async def start(self) -> None:
        await self.proxy.__aenter__()

    async def launch_browser(self) -> Browser:
        """A new browser. Raises playwright's Error; if none is installed, it says what to do."""
        try:
            return await self._launch()
        except Error as error:
            if "Executable doesn't exist" in str(error):
                raise
            _log.warning("could not start a browser, restarting Playwright's driver: %s", error)
        await self._stop_driver()
        return await self._launch()

    async def launch_persistent_context(self, context_kwargs: dict[str, Any]) -> BrowserContext:
        raise NotSupported("persistent contexts would carry state from one crawl into the next")

    async def close(self) -> None:
        await self._stop_driver()
        await self.proxy.__aexit__()
        self._folder.remove()

    async def _launch(self) -> Browser:
        # Not in ``start``, whose errors Scrapy logs before it goes on.
        self._playwright = self._playwright or await self._started_driver()
        options = {**launch_options(self.proxy.url), **self._config.launch_options}
        return await self._playwright.chromium.launch(timeout=_LAUNCH_MS, **options)

    async def _started_driver(self) -> Playwright:
        """Raises playwright's Error."""
        try:
            async with asyncio.timeout(_STARTING):
                with self._folder.inherited():
                    return await self._driver.enter_async_context(async_playwright())
        except TimeoutError:
            raise Error(f"Playwright's driver did not start within {_STARTING:g} s") from None
        except Error:
            raise
        except Exception as error:
            raise Error(f"Playwright's driver cannot start: {error}") from error

    async def _stop_driver(self) -> None:
        self._playwright = None
        # A dead driver does not respond.
        with contextlib.suppress(TimeoutError, Error):
            async with asyncio.timeout(_STOPPING):
                await self._driver.aclose()

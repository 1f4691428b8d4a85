"""A pool of real browsers, as a crawl has it, and pages for it to render."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import ClassVar
from urllib.request import urlopen

from playwright.async_api import async_playwright

from corpus_commons.temporary_folder import TemporaryFolder
from crawler.demo import DemoSite
from crawler.egress.browser_proxy import EgressProxy
from crawler.rendering.options import RenderingOptions
from crawler.rendering.pool import BrowserPool
from crawler.rendering.provider import GuardedBrowserProvider, launch_options
from crawler.rendering.requests import ServedPage
from settings.networks import AddressPolicy

HTML = (("content-type", "text/html; charset=utf-8"),)
OPTIONS = RenderingOptions(timeout=15, settle=0.5, user_agent="tests/1", allow_loopback=True)


class Statistics(Counter[str]):
    def inc_value(self, key: str, count: int = 1, start: int = 0) -> None:
        self[key] += count


class Browsers:
    """A pool behind the proxy, as a crawl has it."""

    def __init__(
        self, options: RenderingOptions, proxy: EgressProxy, statistics: Statistics
    ) -> None:
        self.options = options
        self.proxy = proxy
        self.statistics = statistics
        self.processes: list[int] = []

    @contextlib.asynccontextmanager
    async def pool(self) -> AsyncIterator[BrowserPool]:
        async with contextlib.AsyncExitStack() as stack:
            folder = TemporaryFolder()
            stack.callback(folder.remove)
            with folder.inherited():
                playwright = await stack.enter_async_context(async_playwright())

            async def launch():  # type: ignore[no-untyped-def]
                browser = await playwright.chromium.launch(**launch_options(self.proxy.url))
                session = await browser.new_browser_cdp_session()
                found = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
                self.processes += [item["id"] for item in found if item["type"] == "browser"]
                return browser

            pool = BrowserPool(launch, self.options, self.statistics)
            try:
                yield pool
            finally:
                await pool.close()


def rendering(
    work: Callable[[BrowserPool, Browsers], Awaitable[None]], options: RenderingOptions = OPTIONS
) -> Browsers:
    """Run ``work`` with a pool; what the pool did comes back."""

    async def run() -> Browsers:
        async with EgressProxy(AddressPolicy(loopback=options.allow_loopback)) as proxy:
            browsers = Browsers(options, proxy, Statistics())
            async with browsers.pool() as pool:
                await work(pool, browsers)
            return browsers

    return asyncio.run(run())


def served(site: DemoSite, path: str) -> ServedPage:
    with urlopen(site.base + path) as answer:  # noqa: S310
        return ServedPage(site.base + path, 200, HTML, answer.read())


def made(site: DemoSite, body: str) -> ServedPage:
    return ServedPage(site.base + "/made", 200, HTML, f"<!doctype html><body>{body}".encode())


class Config:
    """scrapy-playwright's settings, as far as a provider of browsers reads them."""

    launch_options: ClassVar[dict[str, object]] = {}


@contextlib.asynccontextmanager
async def provider() -> AsyncIterator[GuardedBrowserProvider]:
    running = GuardedBrowserProvider(Config())
    await running.start()
    try:
        yield running
    finally:
        await running.close()

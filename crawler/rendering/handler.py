"""The download handler, which extends scrapy-playwright's.

Requests of ``rendered_request`` are rendered by our pool of browsers, which scrapy-playwright's
provider hook starts and stops. Other requests go to Scrapy's own handler or, with
``meta={"playwright": True}``, to scrapy-playwright, whose browsers are behind the same proxy.
"""

from __future__ import annotations

from typing import Final

from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Request, Response
from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler

from crawler.fetching.resource_limits import bound_heads, whole
from crawler.politeness.sent_sizes import BROWSER_RECEIVED
from crawler.rendering.options import SETTING, RenderingOptions
from crawler.rendering.pool import BrowserPool
from crawler.rendering.provider import GuardedBrowserProvider
from crawler.rendering.requests import (
    RENDERED,
    SERVED,
    NoBrowserError,
    ServedPage,
)
from settings.networks import AddressPolicy

_UNGUARDED: Final = (
    "the browsers of PLAYWRIGHT_BROWSER_PROVIDER would reach private networks; leave it out, or "
    "name a subclass of crawler.rendering.provider.GuardedBrowserProvider"
)


class RenderingHandler(ScrapyPlaywrightDownloadHandler):
    """Uses the setting ``RENDERING``, a ``RenderingOptions``."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        bound_heads(self)
        self._options: RenderingOptions = crawler.settings.get(SETTING) or RenderingOptions()
        self._signals = crawler.signals
        self._browser_pool: BrowserPool | None = None

    async def download_request(self, request: Request) -> Response:
        served = request.meta.get(SERVED)
        if not isinstance(served, ServedPage):
            return whole(await super().download_request(request))
        rendered = await self._browsers().render(served)
        request.meta[RENDERED] = rendered
        return HtmlResponse(
            request.url,
            status=served.status,
            body=rendered.html,
            encoding="utf-8",
            headers={"Content-Type": "text/html; charset=utf-8"},
            request=request,
            flags=["rendered"],
        )

    def _browsers(self) -> BrowserPool:
        """Raises NoBrowserError if the browsers would not be kept out of private networks."""
        if self._browser_pool is None:
            provider = self.browser_provider
            if not isinstance(provider, GuardedBrowserProvider):
                raise NoBrowserError(_UNGUARDED)
            provider.proxy.policy = AddressPolicy(loopback=self._options.allow_loopback)
            if self._options.tells_traffic:
                provider.proxy.received = self._received
            self._browser_pool = BrowserPool(provider.launch_browser, self._options, self.stats)
        return self._browser_pool

    def _received(self, host: str, size: int) -> None:
        self._signals.send_catch_log(BROWSER_RECEIVED, host=host, size=size)

    async def close(self) -> None:
        if self._browser_pool is not None:
            await self._browser_pool.close()
        await super().close()

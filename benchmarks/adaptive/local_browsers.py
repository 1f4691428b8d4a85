"""Browsers that reach this machine only: real pages name resources all over the web."""

from __future__ import annotations

import asyncio

from scrapy_playwright.handler import Config

from crawler.egress.browser_proxy import EgressProxy, RefusalError
from crawler.rendering.provider import GuardedBrowserProvider
from settings.networks import literal

# The code of SOCKS5 (RFC 1928) for a connection that the rules do not allow.
_NOT_ALLOWED = 2


class _LocalProxy(EgressProxy):
    """Refuses names at once, without asking for their addresses."""

    async def _dial(
        self, host: str, port: int
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if literal(host) is None:
            raise RefusalError(_NOT_ALLOWED)
        return await super()._dial(host, port)


class LocalBrowserProvider(GuardedBrowserProvider):
    """For the setting ``PLAYWRIGHT_BROWSER_PROVIDER``."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.proxy = _LocalProxy()

"""The spiders of ``benchmarks.render``, each in its own process; one line of JSON per page."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any, Self

import scrapy
from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.http import Request, Response
from scrapy_playwright.page import PageMethod

from crawler.items import Document, Page, RejectedPage
from crawler.rendering import RenderedPage, RenderingOptions, render, rendering_settings

HEIGHT = 3840
"""The height of screenshots in CSS px."""
_PEER = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"
Task = dict[str, Any]

_QUIET = {
    "LOG_LEVEL": "ERROR",
    "TELNETCONSOLE_ENABLED": False,
    "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
}


class Reporter:
    """An extension for the real crawl: writes a line for each page that has left the pipeline."""

    def __init__(self, crawler: Crawler) -> None:
        self._sizes: dict[str, int] = {}
        crawler.signals.connect(self._received, signals.response_received)
        crawler.signals.connect(self._finished, signals.item_scraped)
        crawler.signals.connect(self._finished, signals.item_dropped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _received(self, response: Response, request: Request) -> None:
        rendered = request.meta.get("rendered")
        if isinstance(rendered, RenderedPage):
            self._sizes[response.url] = len(rendered.screenshot)

    def _finished(self, item: Document | Page | RejectedPage) -> None:
        page = item.page if isinstance(item, RejectedPage) else item
        _report(self._sizes.pop(page.url, 0))


def ours(task: Task, scale: float) -> type[scrapy.Spider]:
    """Fetches with Scrapy and renders with our handler, and nothing else."""
    options = RenderingOptions(
        concurrency=task["concurrency"],
        screenshot_height=HEIGHT,
        screenshot_scale=scale,
        allow_loopback=True,
    )

    class Ours(scrapy.Spider):
        name = "ours"
        custom_settings = {**_QUIET, **rendering_settings(options)}

        async def start(self) -> AsyncIterator[Any]:
            for url in task["urls"]:
                yield scrapy.Request(url)

        async def parse(self, response: Response) -> None:
            rendered = await render(self.crawler, response)
            _report(len(rendered.screenshot))

    return Ours


def peer(task: Task, scale: float) -> type[scrapy.Spider]:
    """As in scrapy-playwright's README, with a screenshot and Scrapy's default settings."""

    class Peer(scrapy.Spider):
        name = "peer"
        custom_settings = {
            **_QUIET,
            "DOWNLOAD_HANDLERS": dict.fromkeys(("http", "https"), _PEER),
            "PLAYWRIGHT_LAUNCH_OPTIONS": {"executable_path": task["browser"]},
            **({} if scale == 1 else _scaled(scale)),
            **task["peer_settings"],
        }

        async def start(self) -> AsyncIterator[Any]:
            clip = {"x": 0, "y": 0, "width": 1280, "height": HEIGHT}
            for url in task["urls"]:
                shot = PageMethod("screenshot", type="jpeg", full_page=True, clip=clip)
                yield scrapy.Request(
                    url, meta={"playwright": True, "playwright_page_methods": [shot]}
                )

        async def parse(self, response: Response) -> None:
            _report(len(response.meta["playwright_page_methods"][0].result))

    return Peer


def _scaled(scale: float) -> dict[str, Any]:
    return {"PLAYWRIGHT_CONTEXTS": {"default": {"device_scale_factor": scale}}}


def _report(screenshot: int) -> None:
    sys.stdout.write(json.dumps({"screenshot": screenshot}) + "\n")
    sys.stdout.flush()


SPIDERS: dict[str, Callable[[Task], type[scrapy.Spider]]] = {
    "ours, only rendering": lambda task: ours(task, 0.25),
    "ours, only rendering, full size": lambda task: ours(task, 1.0),
    "scrapy-playwright, a quarter of the size": lambda task: peer(task, 0.25),
    "scrapy-playwright, full size": lambda task: peer(task, 1.0),
}


def main() -> None:
    task: Task = json.loads(sys.stdin.read())
    process = AsyncCrawlerProcess()
    process.crawl(SPIDERS[task["spider"]](task))
    process.start()


if __name__ == "__main__":
    main()

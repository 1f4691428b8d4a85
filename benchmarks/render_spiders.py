"""The spiders that ``benchmarks.render`` starts, one a process; a JSON line a page drawn."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any, ClassVar

import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response
from scrapy_playwright.page import PageMethod

from crawler.rendering import Options, draw, rendering_settings

HEIGHT = 3840
_PEER = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"
Task = dict[str, Any]

_QUIET = {
    "LOG_LEVEL": "ERROR",
    "TELNETCONSOLE_ENABLED": False,
    "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
}


def ours(task: Task, scale: float) -> type[scrapy.Spider]:
    """Fetched by Scrapy, drawn by our handler."""
    options = Options(
        concurrency=task["concurrency"],
        screenshot_height=HEIGHT,
        screenshot_scale=scale,
        allow_loopback=True,
    )

    class Ours(scrapy.Spider):
        name = "ours"
        custom_settings: ClassVar = {
            **_QUIET,
            **rendering_settings(options),
            "CONCURRENT_REQUESTS_PER_DOMAIN": task["concurrency"],
        }

        async def start(self) -> AsyncIterator[Any]:
            for url in task["urls"]:
                yield scrapy.Request(url)

        async def parse(self, response: Response) -> None:
            drawn = await draw(self.crawler, response)
            _report(drawn.html.encode(), drawn.screenshot)

    return Ours


def peer(task: Task) -> type[scrapy.Spider]:
    """As scrapy-playwright's README has it, with a screenshot."""

    class Peer(scrapy.Spider):
        name = "peer"
        custom_settings: ClassVar = {
            **_QUIET,
            "DOWNLOAD_HANDLERS": dict.fromkeys(("http", "https"), _PEER),
            "PLAYWRIGHT_LAUNCH_OPTIONS": {"executable_path": task["browser"]},
            "CONCURRENT_REQUESTS_PER_DOMAIN": task["concurrency"],
        }

        async def start(self) -> AsyncIterator[Any]:
            clip = {"x": 0, "y": 0, "width": 1280, "height": HEIGHT}
            for url in task["urls"]:
                shot = PageMethod("screenshot", type="jpeg", full_page=True, clip=clip)
                yield scrapy.Request(
                    url, meta={"playwright": True, "playwright_page_methods": [shot]}
                )

        async def parse(self, response: Response) -> None:
            _report(response.body, response.meta["playwright_page_methods"][0].result)

    return Peer


def _report(html: bytes, screenshot: bytes) -> None:
    sys.stdout.write(json.dumps({"html": len(html), "screenshot": len(screenshot)}) + "\n")
    sys.stdout.flush()


SPIDERS: dict[str, Callable[[Task], type[scrapy.Spider]]] = {
    "ours, a quarter of the size": lambda task: ours(task, 0.25),
    "ours, full size": lambda task: ours(task, 1.0),
    "scrapy-playwright": peer,
}


def main() -> None:
    task: Task = json.loads(sys.argv[1])
    process = AsyncCrawlerProcess()
    process.crawl(SPIDERS[task["spider"]](task))
    process.start()


if __name__ == "__main__":
    main()

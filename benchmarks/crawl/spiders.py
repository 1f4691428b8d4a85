"""The spiders that ``benchmarks.crawl`` compares with our crawler, each in its own process.

``trafilatura`` is what a user would write instead: it follows links, extracts each page with its
metadata in the callback, and has a JSON lines feed. ``bare`` downloads a list of pages.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import scrapy
import trafilatura
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response
from scrapy.linkextractors import LinkExtractor

Task = dict[str, Any]


def peer(task: Task) -> type[scrapy.Spider]:
    class Peer(scrapy.Spider):
        name = "peer"
        start_urls = [f"{task['base']}/"]
        custom_settings = {"FEEDS": {task["feed"]: {"format": "jsonlines"}}}
        links = LinkExtractor(allow_domains=[urlsplit(task["base"]).netloc])

        def parse(self, response: Any) -> Iterator[Any]:
            found = trafilatura.bare_extraction(
                response.body, url=response.url, with_metadata=True, as_dict=True
            )
            if isinstance(found, dict):
                yield {key: found[key] for key in _KEPT} | {"url": response.url}
            for link in self.links.extract_links(response):
                yield scrapy.Request(link.url)

    return Peer


def bare(task: Task) -> type[scrapy.Spider]:
    class Bare(scrapy.Spider):
        name = "bare"

        async def start(self) -> AsyncIterator[Any]:
            for url in Path(task["urls"]).read_text().split():
                yield scrapy.Request(url)

        def parse(self, response: Response) -> None:
            pass

    return Bare


_KEPT = ("title", "author", "hostname", "date", "description", "sitename", "license", "text")


def _settings(task: Task) -> dict[str, Any]:
    return {
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
        "CONCURRENT_REQUESTS": task["concurrency"],
        "CONCURRENT_REQUESTS_PER_DOMAIN": task["concurrency"],
        "DOWNLOAD_DELAY": 0,
    }


SPIDERS: dict[str, Callable[[Task], type[scrapy.Spider]]] = {"trafilatura": peer, "bare": bare}


def main() -> None:
    task: Task = json.loads(sys.argv[1])
    process = AsyncCrawlerProcess(_settings(task))
    process.crawl(SPIDERS[task["spider"]](task))
    process.start()


if __name__ == "__main__":
    main()

"""An item pipeline that writes what it is given to a file, and then acknowledges it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from pathlib import Path
from typing import Any, Self

from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from crawler.crawl.crawl import crawl_of
from crawler.frontier import Ack, FrontierError
from crawler.items import Page, RejectedPage


class PageSink:
    """A line of JSON for each page, in ``pages.jsonl`` of the job's folder.

    PAGE_SINK_SECONDS: what a page takes. PAGE_SINK_END: a FIFO, for whose writer the end waits.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawl = crawl_of(crawler)
        self._wait = crawler.settings.getfloat("PAGE_SINK_SECONDS")
        self._end = crawler.settings.get("PAGE_SINK_END")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def open_spider(self) -> None:
        self._file = (self._crawl.folder / "pages.jsonl").open("ab", buffering=0)

    def close_spider(self) -> None:
        self._file.close()
        if self._end:
            Path(self._end).read_bytes()

    async def process_item(self, item: Any) -> Any:
        page = item.page if isinstance(item, RejectedPage) else item
        assert isinstance(page, Page)
        if "raise-in-pipeline" in page.url:
            raise RuntimeError("this pipeline cannot bear it")
        if "drop-in-pipeline" in page.url:
            raise DropItem("this pipeline does not want it")
        await asyncio.sleep(self._wait)
        outcome = item.rejection.reason if isinstance(item, RejectedPage) else "kept"
        self._file.write((json.dumps(_line(page, outcome)) + "\n").encode())
        os.fsync(self._file.fileno())
        # Without its frontier the crawl ends, whatever is said here.
        with contextlib.suppress(FrontierError):
            await self._crawl.leases.ack_all([Ack(page.lease, outcome, page=True)])
        return item


class Dropping:
    """Wants nothing."""

    def process_item(self, item: Any) -> Any:
        raise DropItem("this pipeline wants nothing")


def _line(page: Page, outcome: str) -> dict[str, Any]:
    return {
        "asked": page.lease.url,
        "url": page.url,
        "status": page.status,
        "redirects": page.redirects,
        "bytes": len(page.html),
        "is_rendered": page.rendered_html is not None,
        "depth": page.depth,
        "charset": page.charset,
        "download": page.timings.download,
        "outcome": outcome,
        "consent": page.consent,
        "reason": page.rendering_reason,
        "gain": page.rendering_gain,
    }

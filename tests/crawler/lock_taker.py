"""A Scrapy extension: another process takes the job's folder just before the crawl opens it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Self

from scrapy import signals
from scrapy.crawler import Crawler

from crawler.crawl.crawl import crawl_of

HOLD = """
import asyncio, sys
from pathlib import Path
from crawler.frontier import SqliteFrontier
async def hold():
    async with await SqliteFrontier.open(Path(sys.argv[1])):
        print("held", flush=True)
        sys.stdin.read()
asyncio.run(hold())
"""


class LockTaker:
    """Takes it when Scrapy makes its extensions, and lets it go when the spider is closed."""

    def __init__(self, folder: Path) -> None:
        pipe = subprocess.PIPE
        self._other = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-c", HOLD, str(folder)], stdin=pipe, stdout=pipe
        )
        assert self._other.stdout is not None
        assert self._other.stdout.readline() == b"held\n"

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        made = cls(crawl_of(crawler).folder)
        crawler.signals.connect(made.closed, signals.spider_closed)
        return made

    def closed(self) -> None:
        self._other.communicate()

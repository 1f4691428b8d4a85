"""The memory limit of a crawl does not count the program that started it."""

from __future__ import annotations

import subprocess
import sys

_CODE = """
from scrapy import Spider
from scrapy.utils.test import get_crawler
from crawler.fetching.resource_limits import MemoryGuard
crawler = get_crawler(Spider, {"MEMUSAGE_ENABLED": True})
print(MemoryGuard(crawler).get_virtual_size())
"""
_MEGABYTE = 2**20


def test_what_the_starting_process_held_does_not_count() -> None:
    held = b"x" * (600 * _MEGABYTE)
    found = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", _CODE], capture_output=True, text=True, check=True
    )
    assert 10 * _MEGABYTE < int(found.stdout) < 300 * _MEGABYTE < len(held)

"""The clock of a crawl that is compared, an extension."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any, Final, Self

from scrapy import signals
from scrapy.crawler import Crawler

from corpus_commons.process_tree import cpu_seconds, descendants

FILE: Final = "ADAPTIVE_CLOCK"
"""The setting that names the file for what the clock measured."""
_LOOK_EVERY: Final = 20


class Clock:
    """Writes pages/s and CPU seconds a page, from the first page that is done to the last.

    That leaves out the loading of models; the start of the browser is in it, if there is one.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._file = Path(crawler.settings[FILE])
        self._times: list[float] = []
        self._used: list[tuple[int, float]] = []
        crawler.signals.connect(self._done, signals.item_scraped)
        crawler.signals.connect(self._done, signals.item_dropped)
        crawler.signals.connect(self._closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _done(self) -> None:
        self._times.append(time.perf_counter())
        if len(self._times) % _LOOK_EVERY == 1:
            self._used.append((len(self._times), cpu_seconds(descendants(os.getpid()))))

    def _closed(self) -> None:
        (first, before), (last, after) = self._used[0], self._used[-1]
        found: dict[str, Any] = {
            "rate": (len(self._times) - 1) / (self._times[-1] - self._times[0]),
            "cpu": (after - before) / max(1, last - first),
        }
        self._file.write_text(json.dumps(found))

"""What a worker tells of its own run."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from scrapy.utils.test import get_crawler

from crawler.items import Page
from crawler.lease import Lease
from live.report import WorkerReport
from live.worker import OwnWorker
from pipelines.reporting.counts import Counts


def crawl_in(folder: Path) -> Any:
    leases, traffic = SimpleNamespace(held=0, lost=0), SimpleNamespace(received=0)
    return SimpleNamespace(
        worker="w",
        started=datetime.now(UTC),
        is_paused=False,
        traffic=traffic,
        leases=leases,
        waited=0.0,
        folder=folder,
        frontier=None,
    )


def test_errors_of_one_name_are_counted_together(tmp_path: Path) -> None:
    crawler = get_crawler()
    for name, count in (("twisted.internet.error.TimeoutError", 2), ("builtins.TimeoutError", 1)):
        crawler.stats.set_value(f"downloader/exception_type_count/{name}", count)

    async def reported() -> WorkerReport:
        worker = OwnWorker(crawl_in(tmp_path), crawler)
        worker.sample()
        return await worker.report(0)

    assert asyncio.run(reported()).errors == {"TimeoutError": 3}


def test_a_page_that_waits_for_its_site_was_read(tmp_path: Path) -> None:
    crawler, now, crawl = get_crawler(), datetime.now(UTC), crawl_in(tmp_path)
    url = "http://a.test/"

    async def reported() -> WorkerReport:
        worker = OwnWorker(crawl, crawler)
        worker.sample()
        counts = Counts(crawler.stats)
        counts.read(Page(Lease.of_none(url), url, 200, (), b"<p>Words.", now))
        counts.hold(1)
        worker.sample()
        return await worker.report(0)

    report = asyncio.run(reported())
    assert (report.totals["read"], report.totals["held"], report.totals["documents"]) == (1, 1, 0)
    assert report.static > 0 == report.rendered

"""Leases for the downloader."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from crawler import feeding
from crawler.crawl import Crawl
from crawler.feeding import Feeding
from crawler.frontier import Candidate, SqliteFrontier
from crawler.holding import HoldingFrontier
from settings import Job

URL = "http://127.0.0.1/"


def test_nothing_is_leased_while_the_pipelines_are_busy_and_then_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where a visit or a URL would have to come first.
    monkeypatch.setattr(feeding, "_LONGEST_WAIT", 3600)
    is_busy = True

    async def work() -> None:
        nonlocal is_busy
        crawl = Crawl(Job.model_validate({"name": "x", "seeds": {"urls": [URL]}}))
        async with HoldingFrontier(await SqliteFrontier.open(tmp_path), 60) as frontier:
            await frontier.add([Candidate(URL)])
            crawl._frontier = frontier
            leases = Feeding(crawl, lambda: is_busy).leases()
            first = asyncio.ensure_future(anext(leases))
            for _ in range(5):
                # Visits that end and new URLs are no room.
                frontier.changed.set()
                await asyncio.sleep(0.01)
            assert not first.done()
            assert frontier.held == 0
            is_busy = False
            async with asyncio.timeout(10):
                assert (await first).url == URL
            await leases.aclose()

    asyncio.run(work())

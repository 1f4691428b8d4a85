"""The frontier as one worker sees it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from crawler.frontier import Candidate, SqliteFrontier
from crawler.holding import HoldingFrontier

PAGE = Candidate("http://example.com/")


def test_a_new_url_wakes_whoever_waits_for_a_lease(tmp_path: Path) -> None:
    async def work() -> tuple[bool, bool]:
        async with HoldingFrontier(await SqliteFrontier.open(tmp_path)) as frontier:
            await frontier.add([PAGE])
            woken = frontier.changed.is_set()
            frontier.changed.clear()
            await frontier.add([PAGE])
            return woken, frontier.changed.is_set()

    assert asyncio.run(work()) == (True, False)

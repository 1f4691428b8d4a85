"""A small frontier for the tests of commands."""

from __future__ import annotations

import asyncio
from pathlib import Path

from crawler.frontier import Ack, Candidate, Policy, SqliteFrontier


def frontier(folder: Path) -> Path:
    """A crawl with two URLs done, one dead and one queued."""

    async def work() -> None:
        async with await SqliteFrontier.open(
            folder, Policy(delay=0, visits_per_host=9, tries=1)
        ) as made:
            await made.add([Candidate(f"http://localhost/{number}") for number in range(4)])
            first, second, third = await made.lease(3)
            await made.ack_all([Ack(first, "kept"), Ack(second, "kept")])
            await made.release(third, reason="status 500")

    asyncio.run(work())
    return folder

"""A worker of a fleet that visits known pages again, until the run is finished.

Arguments: the URL of Redis, and a file to which a line is appended for each visit: its token,
which is Redis's time in microseconds, the host, the URL and its history.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from crawler.frontier import Ack, Policy, Visit
from crawler.frontier.redis import RedisFrontier

JOB = "again"
NEXT = Visit(3600, "second")
POLICY = Policy(delay=0.05, lease_seconds=1, losses=1000, revisit_share=0.5)


async def work(url: str, log: Path) -> None:
    async with await RedisFrontier.open(url, JOB, POLICY, patience=20) as frontier:
        with log.open("a", buffering=1) as lines:
            while not await frontier.finished():
                leases = await frontier.lease(4)
                for lease in leases:
                    lines.write(f"{lease.token} {lease.host} {lease.url} {lease.history}\n")
                # Most workers are killed here, and lose their leases.
                await asyncio.sleep(0.02)
                acks = [Ack(lease, "again", NEXT, {"visits": 1}) for lease in leases]
                await frontier.ack_all(acks)


if __name__ == "__main__":
    asyncio.run(work(sys.argv[1], Path(sys.argv[2])))

"""What a fleet remembers of its sites' pages: a hash for each host, which expires."""

from __future__ import annotations

from collections.abc import Mapping

from crawler.frontier.redis.job import RedisJob
from crawler.frontier.sites import REMEMBERED, SiteStore


class RedisSites(SiteStore):
    """seconds: how long a host is remembered after the last use of its marks."""

    def __init__(self, job: RedisJob, capacity: int, *, seconds: int = REMEMBERED) -> None:
        self._job = job
        self._capacity = capacity
        self._seconds = seconds

    async def add(self, host: str, marks: Mapping[bytes, bytes]) -> list[bytes]:
        pairs = [part for pair in marks.items() for part in pair]
        found: list[bytes] = await self._job.call(
            "marks", host, self._capacity, self._seconds, *pairs
        )
        return found

    async def all(self, host: str) -> list[bytes]:
        (found,) = await self._job.server.read(("HVALS", self._job.key(f"site:{host}")))
        return list(found)

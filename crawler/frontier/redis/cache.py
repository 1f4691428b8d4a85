"""The workers' shared cache, in the Redis of their job."""

from __future__ import annotations

from typing import Any

from crawler.frontier.redis.job import RedisJob
from crawler.frontier.shared_cache import SharedCache


class RedisCache(SharedCache):
    """Expiry is left to Redis."""

    def __init__(self, job: RedisJob) -> None:
        self._job = job

    async def get(self, name: str) -> bytes | None:
        value: bytes | None = await self._ask("GET", self._key(name))
        return value

    async def put(self, name: str, value: bytes, seconds: float) -> None:
        await self._ask("SET", self._key(name), value, "PX", round(seconds * 1000))

    async def claim(self, name: str, seconds: float) -> bool:
        return bool(await self._ask("SET", self._claim(name), 1, "PX", round(seconds * 1000), "NX"))

    async def give_up(self, name: str) -> None:
        await self._ask("DEL", self._claim(name))

    def _claim(self, name: str) -> str:
        return self._job.key(f"claim:{name}")

    def _key(self, name: str) -> str:
        return self._job.key(f"cache:{name}")

    async def _ask(self, *command: Any) -> Any:
        (reply,) = await self._job.server.read(command)
        return reply

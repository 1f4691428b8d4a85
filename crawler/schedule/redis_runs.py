"""The runs of a job whose frontier is in Redis: a hash, and a lease that ends by itself.

The time is the server's, so that schedulers on several machines agree.
"""

from __future__ import annotations

import secrets
from typing import Any, Final

from crawler.frontier.errors import FrontierError
from crawler.frontier.redis.job import RELEASE, job_key
from crawler.frontier.redis.server import Server
from crawler.schedule.runs import Record, Runs, State

_HURRY: Final = 3.0

# Each does something only for who holds the lease, KEYS[1], with the token ARGV[1]. Repeating a
# call whose reply was lost does no harm.
_CLAIM: Final = """
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""
_WRITE: Final = """
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('HSET', KEYS[2], 'runs', ARGV[2]) end
"""


class RedisRuns(Runs):
    """url: of the frontier. job: its name. patience: seconds for which Redis may be away.

    lease: seconds for which the right to run the job lasts without being renewed.
    """

    def __init__(self, url: str, job: str, *, patience: float, lease: float) -> None:
        self._server = Server(url, patience=patience)
        # Beside the keys of its frontier, as users of Redis may be limited to these.
        self._key = job_key(job, "schedule")
        self._lease_key = job_key(job, "schedule:lease")
        self._milliseconds = round(lease * 1000)
        # The fencing token: of this process alone.
        self._token = secrets.token_hex(16)

    async def look(self) -> State:
        (seconds, micros), found = await self._server.read(("TIME",), ("HGETALL", self._key))
        try:
            record = Record.read(found[b"runs"]) if b"runs" in found else Record()
        except ValueError as error:
            raise FrontierError(
                f"the field 'runs' of {self._key} in {self._server.name} is damaged ({error}); "
                "delete it, and the schedule begins anew"
            ) from error
        return State(record, b"paused" in found, b"asked" in found, seconds + micros / 1e6)

    async def pause(self, *, paused: bool) -> None:
        await self._flag("paused", put=paused)

    async def ask(self) -> None:
        await self._flag("asked", put=True)

    async def take_request(self) -> bool:
        return await self._flag("asked", put=False)

    async def claim(self) -> bool:
        return bool(await self._run(_CLAIM, self._milliseconds))

    async def is_claimed(self) -> bool:
        (found,) = await self._server.read(("EXISTS", self._lease_key))
        return bool(found)

    async def write(self, record: Record) -> None:
        await self._run(_WRITE, record.text())

    async def release(self) -> None:
        await self._run(RELEASE)

    def hurry(self) -> None:
        self._server.patience = min(self._server.patience, _HURRY)

    async def close(self) -> None:
        """If Redis does not answer, the right ends with its lease."""
        self.hurry()
        try:
            await self.release()
        finally:
            await self._server.close()

    async def _flag(self, name: str, *, put: bool) -> bool:
        command = ("HSET", self._key, name, 1) if put else ("HDEL", self._key, name)
        (changed,) = await self._server.read(command)
        return bool(changed)

    async def _run(self, script: str, *arguments: Any) -> Any:
        keys = (self._lease_key, self._key)
        (reply,) = await self._server.read(("EVAL", script, 2, *keys, self._token, *arguments))
        return reply

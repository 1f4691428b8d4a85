"""One job in Redis: its keys, its scripts, and the server settings that it needs."""

from __future__ import annotations

import itertools
import re
import secrets
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from crawler.frontier.errors import FrontierError, FrontierVersionError
from crawler.frontier.micro import micro
from crawler.frontier.policy import Policy
from crawler.frontier.redis.scripts import script
from crawler.frontier.redis.server import Server
from crawler.frontier.redis.terms import warn_about_former_scope

VERSION: Final = 2
_UNLIMITED: Final = 2**52
_BATCH: Final = 500
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,100}")


class RedisJob:
    """A job. All its keys have its name as hash tag, so that they share a cluster slot.

    worker: the name of the calling worker, by which leases are counted.
    clock: seconds since 1970; None for the server's, which all workers share.
    """

    def __init__(
        self, server: Server, name: str, worker: str, clock: Callable[[], float] | None
    ) -> None:
        for what, text in (("job", name), ("worker", worker)):
            if not _NAME.fullmatch(text):
                raise FrontierError(
                    f"{text!r} cannot name a {what} in Redis: use 1 to 100 letters, digits, '-', "
                    "'_' and '.'"
                )
        self.server = server
        self.name = name
        self.worker = worker
        self._clock = clock
        # Random, so that a retried call is not confused with one of an earlier run.
        self._run = f"{worker}:{secrets.token_hex(4)}"
        self._calls = itertools.count(1)
        # Sent with every call, because a new job may have been started under the same name.
        self._key = ""

    def key(self, name: str) -> str:
        return f"crawl:{{{self.name}}}:{name}"

    async def call(self, name: str, *arguments: Any) -> Any:
        """Run a script. If the reply is lost, the call is retried, but takes effect only once."""
        now = "" if self._clock is None else micro(self._clock())
        call = name if name == "open" else next(self._calls)
        return await self.server.call(
            script(name), self.key("job"), [now, self._run, call, self._key, *arguments]
        )

    async def open(self, policy: Policy, scope: str) -> bytes:
        """Start or join the job, and set its policy and scope; returns the key of its digests."""
        await self._check_settings()
        values = [part for pair in _values(policy).items() for part in pair]
        new = secrets.token_hex(16)
        version, key, change, left = await self.call("open", VERSION, new, scope, *values)
        self._check_version(version)
        self._key = key.decode()
        if left:
            warn_about_former_scope(self.name, left)
        if change:
            await self._reopen_hosts(change)
        return bytes.fromhex(self._key)

    async def attach(self) -> bytes:
        """The key of an existing job's digests. Raises FrontierError if there is no such job."""
        ((version, key),) = await self.server.read(("HMGET", self.key("job"), "version", "key"))
        if version is None:
            raise FrontierError(
                f"{self.server.name} has no job {self.name!r}: no crawl of it has run there"
            )
        self._check_version(int(version))
        self._key = key.decode()
        return bytes.fromhex(self._key)

    def _check_version(self, version: int) -> None:
        if version != VERSION:
            raise FrontierVersionError(
                f"job {self.name!r} on {self.server.name} has format version {version}, but this "
                f"crawler needs {VERSION}; continue with the crawler that wrote it, or give the "
                "job another name"
            )

    async def host_names(self) -> AsyncIterator[list[str]]:
        """All hosts, in batches; while URLs are added, a host may be repeated."""
        cursor = 0
        while True:
            scan = ("HSCAN", self.key("hosts"), cursor, "COUNT", _BATCH)
            ((cursor, found),) = await self.server.read(scan)
            yield [name.decode() for name in found]
            if cursor == 0:
                return

    async def _reopen_hosts(self, change: int) -> None:
        """Recompute which hosts are open, after the limits have changed.

        change: the number of that change; recorded once all hosts are done.
        """
        async for names in self.host_names():
            await self.call("reopen", 0, *names)
        await self.call("reopen", change)

    async def _check_settings(self) -> None:
        """Raise FrontierError if Redis may evict the job's keys."""
        (info,) = await self.server.read(("INFO", "memory"))
        policy = info.get("maxmemory_policy", "")
        if policy.startswith("allkeys") and info.get("maxmemory") != 0:
            raise FrontierError(
                f"{self.server.name} evicts keys when its memory is full (maxmemory-policy "
                f"{policy}), so URLs would be lost; set maxmemory-policy to noeviction"
            )


def _values(policy: Policy) -> dict[str, int]:
    """The policy as the scripts read it, with times in microseconds."""
    return {
        "delay": micro(policy.delay),
        "visits_per_host": policy.visits_per_host,
        "lease": micro(policy.lease_seconds),
        "tries": policy.tries,
        "losses": policy.losses,
        "first_backoff": micro(policy.first_backoff),
        "longest_backoff": micro(policy.longest_backoff),
        "longest_pace": micro(policy.longest_pace),
        "pages": policy.pages or _UNLIMITED,
        "pages_per_host": policy.pages_per_host or _UNLIMITED,
        "total_size": policy.total_size or _UNLIMITED,
    }

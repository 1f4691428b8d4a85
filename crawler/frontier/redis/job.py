"""One job in Redis: its keys, its scripts, its cache, and the server settings that it needs."""

from __future__ import annotations

import itertools
import logging
import math
import re
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Any, Final, cast

from crawler.frontier.encoding import MICRO, micro
from crawler.frontier.errors import FrontierError, FrontierVersionError
from crawler.frontier.fleet import Fleet, State
from crawler.frontier.policy import Policy
from crawler.frontier.redis.server import Server
from crawler.frontier.shared_cache import SharedCache

_log = logging.getLogger(__name__)

VERSION: Final = 3
# What can be read, and is brought up to date when it is opened.
_KNOWN_VERSIONS: Final = (2, VERSION)
_UNLIMITED: Final = 2**52
_BATCH: Final = 500
_MINUTES: Final = 10
# Seconds after the last report of any worker.
_REPORTS_KEPT: Final = 86_400
# Deletes the claim KEYS[1], only for who holds it, with the token ARGV[1].
RELEASE: Final = """
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
"""
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,100}")


def job_key(job: str, name: str) -> str:
    """A key of a job. All have its name as hash tag, so that they share a cluster slot."""
    return f"crawl:{{{job}}}:{name}"


class RedisJob:
    """A job, with all that is stored of it under ``job_key``.

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
        return job_key(self.name, name)

    async def call(self, name: str, *arguments: Any) -> Any:
        """Run a script. If the reply is lost, the call is retried, but takes effect only once."""
        now = "" if self._clock is None else micro(self._clock())
        call = name if name == "open" else next(self._calls)
        return await self.server.call(
            name, self.key("job"), [now, self._run, call, self._key, *arguments]
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
            _log.warning(
                "the job %s already exists, with another scope or other seeds; of its URLs that "
                "are not done (%d), those outside the new scope will be skipped, and workers with "
                "the old scope stop; if you meant another job, stop this worker and give its job "
                "another name",
                self.name,
                left,
            )
        if change:
            await self.reopen_hosts(change)
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
        if version not in _KNOWN_VERSIONS:
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

    async def state(self) -> State:
        """Whether leases are handed out; see ``Fleet``."""
        # By a script, which also says if the job is gone, or is another of this name by now.
        state, *_ = await self.call("status")
        return cast(State, state.decode())

    async def expired(self) -> Counter[str]:
        """How many leases of each host are past their deadline, so that nobody holds them."""
        return Counter(host.decode() for host in await self.call("expired"))

    async def fleet(self) -> Fleet:
        """The state of the job, its workers and its throughput."""
        now = await self._server_time()
        minutes = _minutes(now)
        (state, began), leases, expired, *done = await self.server.read(
            ("HMGET", self.key("job"), "state", "began"),
            ("HGETALL", self.key("leases")),
            ("ZRANGE", self.key("deadlines"), "-inf", now * MICRO, "BYSCORE"),
            *(("GET", self.key(f"minute:{minute}")) for minute in minutes),
        )
        if state is None:
            raise self.server.gone()
        held = (leases[token] for token in leases.keys() - set(expired))
        workers = Counter(lease.split(b" ", 2)[1].decode().rpartition(":")[0] for lease in held)
        # The current minute counts up to now.
        elapsed = max(1, now - max(60 * minutes[-1], int(began) // MICRO))
        per_minute = 60 * sum(int(d or 0) for d in done) / elapsed
        return Fleet(state.decode(), dict(workers), per_minute)

    async def publish(self, worker: str, report: bytes, seconds: float) -> None:
        """See ``SharedFrontier``. Each is stored behind the second from which it is outdated."""
        until = await self._server_time() + math.ceil(seconds)
        await self.server.read(
            ("HSET", self.key("reports"), worker, b"%d %b" % (until, report)),
            ("EXPIRE", self.key("reports"), _REPORTS_KEPT),
        )

    async def reports(self) -> dict[str, bytes]:
        """See ``SharedFrontier``."""
        now = await self._server_time()
        (found,) = await self.server.read(("HGETALL", self.key("reports")))
        split = ((worker.decode(), *stored.split(b" ", 1)) for worker, stored in found.items())
        known = {worker: (int(until), report) for worker, until, report in split}
        outdated = [worker for worker, (until, _) in known.items() if until < now]
        if outdated:
            await self.server.read(("HDEL", self.key("reports"), *outdated))
        return {worker: report for worker, (until, report) in known.items() if until >= now}

    async def forget_throughput(self) -> None:
        """Remove the throughput, so that a new job of this name starts from zero."""
        minutes = _minutes(await self._server_time())
        await self.server.read(("UNLINK", *(self.key(f"minute:{minute}") for minute in minutes)))

    async def _server_time(self) -> int:
        ((seconds, _),) = await self.server.read(("TIME",))
        return int(seconds)

    async def reopen_hosts(self, change: int) -> None:
        """Recompute which hosts are open, after the limits have changed or a run has begun.

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


def _minutes(now: int) -> list[int]:
    return [now // 60 - ago for ago in range(_MINUTES)]


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
        "daily_size": policy.daily_size_per_host or _UNLIMITED,
        "share": -1 if policy.revisit_share is None else micro(policy.revisit_share),
    }


class RedisCache(SharedCache):
    """Expiry is left to Redis."""

    def __init__(self, job: RedisJob) -> None:
        self._job = job
        self._token = secrets.token_hex(8)

    async def get(self, name: str) -> bytes | None:
        value: bytes | None = await self._ask("GET", self._key(name))
        return value

    async def put(self, name: str, value: bytes, seconds: float) -> None:
        await self._ask("SET", self._key(name), value, "PX", round(seconds * 1000))

    async def claim(self, name: str, seconds: float) -> bool:
        until = ("PX", round(seconds * 1000), "NX")
        return bool(await self._ask("SET", self._claim(name), self._token, *until))

    async def give_up(self, name: str) -> None:
        await self._ask("EVAL", RELEASE, 1, self._claim(name), self._token)

    def _claim(self, name: str) -> str:
        return self._job.key(f"claim:{name}")

    def _key(self, name: str) -> str:
        return self._job.key(f"cache:{name}")

    async def _ask(self, *command: Any) -> Any:
        (reply,) = await self._job.server.read(command)
        return reply

"""The frontier that many workers share: one Redis, without modules.

docs/how-to/many-workers.md has its guarantees and its cost. Every change is a script in ``lua/``.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Self

import orjson

from crawler.frontier.base import Ack, Candidate, DeadLetter
from crawler.frontier.encoding import MICRO, batched, checked_outcome, micro
from crawler.frontier.errors import FrontierError
from crawler.frontier.fleet import Fleet, SharedFrontier, State
from crawler.frontier.folder_owner import claim_folder
from crawler.frontier.notes import StoredNote
from crawler.frontier.policy import Policy
from crawler.frontier.redis.job import RedisCache, RedisJob
from crawler.frontier.redis.records import (
    arguments_of,
    chosen,
    dead_letter_of,
    failure,
    host_stats_of,
    lease_of,
    replaced,
    stats_of,
    tokens_of,
    told,
)
from crawler.frontier.redis.server import Server
from crawler.frontier.redis.sites import RedisSites
from crawler.frontier.stats import HostStats, Stats
from crawler.frontier.visits import NOTHING, Visit
from crawler.frontier.worker_name import WORKER
from crawler.lease import Lease
from crawler.urls import address, digest
from settings import Job

_log = logging.getLogger(__name__)

# URLs per call: Redis serves nobody else while a script runs.
_BATCH: Final = 500
# How long to wait for Redis, in seconds: a crawl can wait out a maintenance, a user cannot.
PATIENCE: Final = 3600.0
_IMPATIENCE: Final = 10.0
# Workers that shut down are killed after two minutes; this is enough for a restart of Redis.
_HURRY: Final = 20.0


class RedisFrontier(SharedFrontier):
    """Use ``open`` to crawl, or ``attach`` to inspect and control a crawl."""

    def __init__(
        self,
        job: RedisJob,
        key: bytes,
        policy: Policy | None,
        rng: random.Random,
        scope: str = "",
    ) -> None:
        self.job = job
        self._key = key
        self._is_attached = policy is None
        self._policy = policy or Policy()
        self._rng = rng
        self._scope = scope
        self._has_new_scope = False
        self._lease_seconds = self._policy.lease_seconds
        self._held: set[int] = set()
        # Redis keeps one reply per worker and script, so each script has one call at a time.
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._closed = False

    @classmethod
    async def open(
        cls,
        url: str,
        job: str,
        policy: Policy | None = None,
        *,
        scope: str = "",
        worker: str = WORKER,
        patience: float = PATIENCE,
        clock: Callable[[], float] | None = None,
        rng: random.Random | None = None,
    ) -> Self:
        """The frontier of ``job`` in the Redis at ``url``; starts the job or joins it.

        Any number of workers may open it. The policy of the last one holds for all.
        scope: the digest of the job's scope (``Scope.digest``), by which workers
            notice that another has set a new one; "" leaves the scope unchanged.
        patience: seconds for which a call waits for Redis during an outage.
        clock: seconds since 1970; by default the server's, so that workers' clocks do not matter.
        Raises FrontierError if Redis cannot be reached or used, FrontierVersionError if another
        version started the job.
        """
        policy = policy or Policy()
        server = Server(url, patience=min(patience, _IMPATIENCE))
        try:
            opened = RedisJob(server, job, worker, clock)
            key = await opened.open(policy, scope)
            frontier = cls(opened, key, policy, rng or random.Random(), scope)  # noqa: S311
        except BaseException:
            await server.close()
            raise
        server.patience = patience
        return frontier

    @classmethod
    async def attach(cls, url: str, job: str) -> Self:
        """The frontier for inspection and control, whether its crawl runs or not; cannot lease.

        Raises FrontierError if there is none, FrontierVersionError if another version started it.
        """
        server = Server(url, patience=_IMPATIENCE)
        try:
            found = RedisJob(server, job, "attached", None)
            return cls(found, await found.attach(), None, random.Random())  # noqa: S311
        except BaseException:
            await server.close()
            raise

    @classmethod
    async def open_job(cls, job: Job, policy: Policy, *, worker: str, scope: str) -> Self:
        claim_folder(job.folder, job.name)
        return await cls.open(job.frontier.url, job.name, policy, worker=worker, scope=scope)

    @classmethod
    async def attach_job(cls, job: Job) -> Self:
        return await cls.attach(job.frontier.url, job.name)

    async def add(self, candidates: Iterable[Candidate]) -> int:
        new = 0
        for batch in batched(candidates, _BATCH):
            (added,) = await self._call_in_turn("add", *arguments_of(batch, self._key))
            new += added
        return new

    async def lease(self, n: int) -> list[Lease]:
        if self._is_attached:
            raise FrontierError("a frontier that is only attached cannot lease; use open()")
        # Shielded: if the caller is cancelled, the leases must still be recorded, to be given back.
        leasing = asyncio.ensure_future(self._lease(min(n, _BATCH)))
        leasing.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(leasing)

    async def _lease(self, n: int) -> list[Lease]:
        async with self._turns["lease"]:
            deadline, lifetime, scope, *rows = orjson.loads(await self.job.call("lease", n))
            ends = int(deadline) / MICRO
            leases = [lease_of(rows[i : i + 5], ends) for i in range(0, len(rows), 5)]
            self._held.update(lease.token for lease in leases)
            self._lease_seconds = int(lifetime) / MICRO
            self._compare_scope(scope)
            return leases

    def _compare_scope(self, scope: str) -> None:
        """Compare the job's scope, which comes with each lease, with this worker's."""
        is_new = bool(scope and self._scope) and scope != self._scope
        if is_new and not self._has_new_scope:
            _log.warning(
                "a worker has joined the job %s with another scope or other seeds, which now apply "
                "to all workers; this one stops, restart it with the new job file",
                self.job.name,
            )
        self._has_new_scope = is_new

    @property
    def lease_seconds(self) -> float:
        return self._lease_seconds

    @property
    def has_new_scope(self) -> bool:
        return self._has_new_scope

    async def lease_in(self) -> float | None:
        state, _, left, _, ready, due, deadline = await self.job.call("status")
        times = [deadline]
        if state == b"running" and int(left) > 0:
            times += [ready, due]
        known = [int(time) for time in times if time]
        return max(0.0, min(known) / MICRO) if known else None

    async def renew(self, leases: Sequence[Lease]) -> list[Lease]:
        kept = []
        for batch in batched(leases, _BATCH):
            reply = await self.job.call("renew", *tokens_of(batch))
            deadline, lifetime, *gone = orjson.loads(reply)
            self._lease_seconds = int(lifetime) / MICRO
            lost = chosen(batch, gone)
            self._let_go(lost)
            tokens = set(tokens_of(lost))
            seconds = int(deadline) / MICRO
            kept += [
                replace(lease, deadline=seconds) for lease in batch if lease.token not in tokens
            ]
        return kept

    async def fetched(self, leases: Sequence[Lease]) -> None:
        for batch in batched(leases, _BATCH):
            await self.job.call("fetched", *tokens_of(batch))

    async def ack_all(self, acks: Sequence[Ack]) -> list[Lease]:
        for ack in acks:
            checked_outcome(ack.outcome)
        lost: list[Lease] = []
        for batch in batched(acks, _BATCH):
            arguments = [part for ack in batch for part in told(ack, self._key)]
            leases = [ack.lease for ack in batch]
            lost += chosen(leases, await self._call_in_turn("ack", *arguments))
            self._let_go(leases)
        return lost

    async def release(
        self,
        lease: Lease,
        *,
        retry_after: float | None = None,
        reason: str | None = None,
        is_final: bool = False,
        sent: bool = True,
    ) -> bool:
        wait = "" if retry_after is None else micro(self._policy.allowed(retry_after))
        how = (*failure(reason, is_final=is_final), wait, self._rng.random(), int(sent))
        lost = await self._call_in_turn("release", *how, lease.token)
        self._let_go([lease])
        return not lost

    async def set_failures(self, host: str, before: int, failures: int) -> bool:
        return bool(await self._call_in_turn("failures", host, before, failures))

    async def delay_host(self, host: str, seconds: float) -> None:
        await self.job.call("slow", host, micro(self._policy.allowed(seconds)), "")

    async def pace_host(self, host: str, seconds: float) -> None:
        await self.job.call("slow", host, micro(self._policy.allowed(seconds)), "1")

    async def recount(
        self,
        teller: str,
        number: int,
        changes: Mapping[str, int],
        visits: Mapping[str, Visit] = NOTHING,
    ) -> None:
        outcomes = [part for pair in changes.items() for part in pair]
        later = [part for pair in visits.items() for part in replaced(*pair, self._key)]
        await self.job.call("recount", teller, number, len(changes), *outcomes, *later)

    async def history(self, url: str) -> str:
        found = address(url)
        note = await self.job.call("history", found.host, digest(found.canonical, self._key))
        return StoredNote.read(note.decode()).history

    async def begin_run(self) -> bool:
        begun, change = await self._call_in_turn("begin")
        if change:
            await self.job.reopen_hosts(change)
        return bool(begun)

    async def counts(self, host: str) -> Mapping[str, float]:
        (counts,) = await self.job.server.read(("HGETALL", self.job.key(f"counts:{host}")))
        return {name.decode(): float(amount) for name, amount in counts.items()}

    async def forget(self, urls: Sequence[str]) -> None:
        found = [address(url) for url in urls]
        for batch in batched(found, _BATCH):
            places = [(where.host, digest(where.canonical, self._key)) for where in batch]
            await self.job.call("forget", *(part for place in places for part in place))

    def sites(self, capacity: int) -> RedisSites:
        return RedisSites(self.job, capacity)

    async def count_received(self, size: int) -> None:
        await self._call_in_turn("received", size)

    async def count_sent(self, sizes: Mapping[str, int]) -> list[str]:
        resting: list[str] = []
        for batch in batched(sizes.items(), _BATCH):
            resting += await self._call_in_turn("sent", *(part for pair in batch for part in pair))
        return resting

    async def finished(self) -> bool:
        _, leased, left, waiting, ready, _, _ = await self.job.call("status")
        return not leased and (int(left) <= 0 or not (ready or waiting))

    async def stopped(self) -> bool:
        return await self.job.state() in ("stopped", "freed")

    async def stats(self) -> Stats:
        job, outcomes, before, hosts = await self.job.server.read(
            ("HGETALL", self.job.key("job")),
            ("HGETALL", self.job.key("outcomes")),
            ("HGETALL", self.job.key("outcomes_before")),
            ("HLEN", self.job.key("hosts")),
        )
        expired = await self.job.expired()
        return stats_of(job, outcomes, before, hosts, expired.total())

    async def hosts(self, limit: int = 20) -> list[HostStats]:
        """See ``Frontier.hosts``; not a snapshot if the crawl is running."""
        busiest: dict[str, HostStats] = {}
        expired = await self.job.expired()
        cursor = "0"
        while True:
            cursor, rows = orjson.loads(await self.job.call("hosts", cursor))
            # HSCAN may return a host twice.
            busiest.update((row[0], host_stats_of(row, expired[row[0]])) for row in rows)
            order = sorted(busiest.values(), key=lambda host: (-host.queued, host.host))
            busiest = {host.host: host for host in order[:limit]}
            if cursor == "0":
                return list(busiest.values())

    async def dead_letters(
        self, limit: int = 100, *, after: int = 0, host: str | None = None
    ) -> list[DeadLetter]:
        letters: list[DeadLetter] = []
        while len(letters) < limit:
            options = ("BYSCORE", "LIMIT", 0, _BATCH)
            (rows,) = await self.job.server.read(
                ("ZRANGE", self.job.key("dead"), f"({after}", "+inf", *options)
            )
            found = [dead_letter_of(row) for row in rows]
            letters += [letter for letter in found if host in (None, letter.host)]
            if len(found) < _BATCH:
                break
            after = found[-1].number
        return letters[:limit]

    async def _empty_dead(self, host: str | None, reason: str | None, *, requeue: bool) -> int:
        action = "retry" if requeue else "purge"
        total, after, last = 0, "0", ""
        while after:
            count, after, last = await self._call_in_turn(
                "dead", action, host or "", after, last, _BATCH, reason or ""
            )
            total += count
        return total

    async def fleet(self) -> Fleet:
        return await self.job.fleet()

    async def is_freed(self) -> bool:
        return await self.job.state() == "freed"

    async def check_complete(self) -> None:
        if await self.is_freed():
            raise FrontierError(
                f"the removal of job {self.job.name!r} has begun; finish it with "
                "`genre-crawler frontier export JOB --to FILE --free`, which leaves FILE unchanged"
            )

    async def set_state(self, state: State) -> None:
        await self.job.call("state", state)

    async def publish(self, worker: str, report: bytes, seconds: float) -> None:
        await self.job.publish(worker, report, seconds)

    async def reports(self) -> dict[str, bytes]:
        return await self.job.reports()

    def hurry(self) -> None:
        self.job.server.patience = min(self.job.server.patience, _HURRY)

    def shared_cache(self) -> RedisCache:
        return RedisCache(self.job)

    async def close(self) -> None:
        """Give back this worker's leases, without counting a loss, and close the connection.

        May be called twice. If Redis does not respond, the leases expire at their deadlines, with a
        loss counted.
        """
        if self._closed:
            return
        self._closed = True
        self.job.server.patience = min(self.job.server.patience, _IMPATIENCE)
        try:
            # Wait for a call in progress, whose leases must be given back as well.
            async with self._turns["lease"]:
                # In reverse order, because each is put at the head of its queue.
                for batch in batched(sorted(self._held, reverse=True), _BATCH):
                    await self._call_in_turn("release", "", "", "", 0, 1, *batch)
        finally:
            await self.job.server.close()

    async def _call_in_turn(self, name: str, *arguments: Any) -> Any:
        async with self._turns[name]:
            return orjson.loads(await self.job.call(name, *arguments))

    def _let_go(self, leases: Iterable[Lease]) -> None:
        self._held.difference_update(tokens_of(leases))

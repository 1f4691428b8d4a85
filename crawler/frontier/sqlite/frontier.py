"""The embedded frontier: one SQLite file in the job's folder, no server.

docs/frontier.md has its guarantees after a crash, and its cost.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ParamSpec, Self, TypeVar

from crawler.frontier.base import (
    Candidate,
    DeadLetter,
    Frontier,
    FrontierError,
    HostStats,
    Lease,
    Stats,
    checked_outcome,
)
from crawler.frontier.encoding import MICRO, batched, depth_of
from crawler.frontier.policy import Policy
from crawler.frontier.sqlite import statements as sql
from crawler.frontier.sqlite.file import FILE_NAME, FolderLock, claim, open_file, steady_clock
from crawler.frontier.sqlite.store import Store
from settings import Job

# Candidates per transaction; other transactions may run between two.
_BATCH = 1000

P = ParamSpec("P")
T = TypeVar("T")


class SqliteFrontier(Frontier):
    """Use ``open`` to crawl, or ``attach`` to inspect and control a crawl."""

    def __init__(self, store: Store, thread: ThreadPoolExecutor, lock: FolderLock | None) -> None:
        self._store = store
        self._thread = thread
        self._lock = lock
        self._closed = False

    @classmethod
    async def open(
        cls,
        folder: Path,
        policy: Policy | None = None,
        *,
        job: str = "",
        clock: Callable[[], float] | None = None,
        rng: random.Random | None = None,
    ) -> Self:
        """The frontier of the crawl in ``folder``, new or as an earlier run left it.

        job: the name of the job that the frontier belongs to; "" does not check that.
        clock: seconds since 1970; by default ``steady_clock``.
        URLs that were leased when an earlier run died are queued again. Raises FrontierLockedError
        if another crawl runs there, FrontierOwnerError if the frontier belongs to another job,
        FrontierVersionError, FrontierFullError, or FrontierError if the file is not a frontier.
        """
        folder.mkdir(parents=True, exist_ok=True)
        lock = FolderLock(folder)
        try:
            return await cls._made(folder, policy, clock or steady_clock(), rng, lock, job=job)
        except BaseException:
            lock.release()
            raise

    @classmethod
    async def attach(cls, folder: Path) -> Self:
        """The frontier for inspection and control, whether its crawl runs or not; cannot lease.

        Raises FrontierError if there is none in ``folder``, FrontierVersionError if another version
        wrote it.
        """
        return await cls._made(folder, None, steady_clock(), None, None)

    @classmethod
    async def open_job(cls, job: Job, policy: Policy, *, worker: str, scope: str) -> Self:
        return await cls.open(job.folder, policy, job=job.name)

    @classmethod
    async def attach_job(cls, job: Job) -> Self:
        return await cls.attach(job.folder)

    @classmethod
    async def _made(
        cls,
        folder: Path,
        policy: Policy | None,
        clock: Callable[[], float],
        rng: random.Random | None,
        lock: FolderLock | None,
        *,
        job: str = "",
    ) -> Self:
        def made() -> Store:
            db = open_file(folder, create=lock is not None)
            db.row_factory = sqlite3.Row
            store = Store(db, folder / FILE_NAME, policy or Policy(), clock, rng or random.Random())  # noqa: S311
            try:
                if job:
                    claim(db, folder, job)
                if lock:
                    store.set_limits()
                    store.return_all(lost=True)
            except BaseException:
                db.close()
                raise
            return store

        thread = ThreadPoolExecutor(1, thread_name_prefix="frontier")
        try:
            store = await asyncio.get_running_loop().run_in_executor(thread, made)
        except BaseException:
            thread.shutdown(wait=False)
            raise
        return cls(store, thread, lock)

    async def add(self, candidates: Iterable[Candidate]) -> int:
        new = 0
        for batch in batched(candidates, _BATCH):
            new += await self._run(self._store.add, batch)
        return new

    async def lease(self, n: int) -> list[Lease]:
        if self._lock is None:
            raise FrontierError("a frontier that is only attached cannot lease; use open()")
        return await self._run(self._store.lease, n)

    async def lease_in(self) -> float | None:
        return await self._run(self._store.lease_in)

    async def renew(self, leases: Iterable[Lease]) -> list[Lease]:
        return await self._run(self._store.renew, list(leases))

    @property
    def lease_seconds(self) -> float:
        return self._store.policy.lease_seconds

    async def fetched(self, leases: Iterable[Lease]) -> None:
        await self._run(self._store.fetched, list(leases))

    async def ack_all(
        self, outcomes: Sequence[tuple[Lease, str]], *, pages: bool = False
    ) -> list[Lease]:
        for _, outcome in outcomes:
            checked_outcome(outcome)
        return await self._run(self._store.ack_all, outcomes, pages=pages)

    async def release(
        self, lease: Lease, *, retry_after: float | None = None, reason: str | None = None
    ) -> bool:
        return await self._run(self._store.release, lease, retry_after, reason)

    async def delay_host(self, host: str, seconds: float) -> None:
        await self._run(self._store.delay_host, host, seconds)

    async def pace_host(self, host: str, seconds: float) -> None:
        await self._run(self._store.pace_host, host, seconds)

    async def count_received(self, size: int) -> None:
        await self._run(self._store.count_received, size)

    async def finished(self) -> bool:
        return await self._run(self._store.finished)

    async def stats(self) -> Stats:
        (job,), outcomes = await self._run(self._store.rows, (sql.JOB, ()), (sql.OUTCOMES, ()))
        return Stats(
            added=job["number"],
            queued=job["queued"] + job["waiting"],
            waiting=job["waiting"],
            leased=job["leased"],
            done=job["done"],
            dead=job["dead"],
            purged=job["purged"],
            refused=job["refused"],
            hosts=job["hosts"],
            received=job["received"],
            outcomes=dict(map(tuple, outcomes)),
        )

    async def hosts(self, limit: int = 20) -> list[HostStats]:
        (rows,) = await self._run(self._store.rows, (sql.BUSIEST_HOSTS, (limit,)))
        return [_host_stats(row) for row in rows]

    async def dead_letters(
        self, limit: int = 100, *, after: int = 0, host: str | None = None
    ) -> list[DeadLetter]:
        chosen = {"limit": limit, "after": after, "name": host}
        (rows,) = await self._run(self._store.rows, (sql.DEAD_LETTERS, chosen))
        return [_dead_letter(row) for row in rows]

    async def dead_reasons(self, host: str | None = None) -> dict[str, int]:
        (rows,) = await self._run(self._store.rows, (sql.DEAD_REASONS, {"name": host}))
        return dict(map(tuple, rows))

    async def retry_dead(self, host: str | None = None) -> int:
        return await self._run(self._store.retry_dead, host)

    async def purge_dead(self, host: str | None = None) -> int:
        return await self._run(self._store.purge_dead, host)

    async def close(self) -> None:
        """Give back this worker's leases, without counting a loss, and release the folder.

        May be called twice. The lock is released even if the disk is full. In that case the leases
        are given back when the folder is opened again, with a loss counted.
        """
        if self._closed:
            return
        self._closed = True
        try:
            if self._lock:
                await self._run(self._store.return_all, lost=False)
        finally:
            await self._run(self._store.db.close)
            self._thread.shutdown()
            if self._lock:
                self._lock.release()

    async def _run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: work(*args, **kwargs))


def _host_stats(row: Any) -> HostStats:
    name, queued, leased, done, dead, next_at = row
    return HostStats(name, queued, leased, done, dead, next_at / MICRO)


def _dead_letter(row: Any) -> DeadLetter:
    return DeadLetter(
        number=row["number"],
        url=row["url"],
        host=row["name"],
        depth=depth_of(row["rank"]),
        attempts=row["failures"] + row["losses"],
        reason=row["reason"],
        died_at=row["died_at"] / MICRO,
    )

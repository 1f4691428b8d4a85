"""The open file of an embedded frontier: its connection, thread, lock and transactions."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import random
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from corpus_commons.transactions import transaction
from crawler.frontier.encoding import DAY, MICRO, micro
from crawler.frontier.policy import Policy
from crawler.frontier.sqlite import statements as sql
from crawler.frontier.sqlite.file import (
    FILE_NAME,
    FolderLock,
    claim,
    open_file,
    steady_clock,
    translated,
)
from crawler.frontier.sqlite.transaction import UNLIMITED, Transaction
from settings import Job

_log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound="SqliteStore")


def in_thread(
    work: Callable[Concatenate[S, P], T],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Makes a method asynchronous, by running it in the store's thread: SQLite blocks."""

    async def run(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await in_thread_of(self, functools.partial(work, self, *args, **kwargs))

    return run


async def in_thread_of(
    store: SqliteStore, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """The result of ``work``, which runs in the store's thread."""
    call = functools.partial(work, *args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(store.thread, call)


@dataclass(eq=False)
class SqliteStore:
    """Use ``open`` to crawl, or ``attach`` to inspect and control a crawl.

    lock: None if it is only attached.
    thread: the only one that may use the connection.
    """

    folder: Path
    lock: FolderLock | None
    policy: Policy
    clock: Callable[[], float]
    rng: random.Random
    thread: ThreadPoolExecutor
    db: sqlite3.Connection = field(init=False)
    _closed: bool = field(default=False, init=False)

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
            return await cls._made(folder, lock, policy=policy, clock=clock, rng=rng, job=job)
        except BaseException:
            lock.release()
            raise

    @classmethod
    async def attach(cls, folder: Path) -> Self:
        """The frontier for inspection and control, whether its crawl runs or not; cannot lease.

        Raises FrontierError if there is none in ``folder``, FrontierVersionError if another version
        wrote it.
        """
        return await cls._made(folder, None)

    @classmethod
    async def open_job(cls, job: Job, policy: Policy, *, worker: str, scope: str) -> Self:
        return await cls.open(job.folder, policy, job=job.name)

    @classmethod
    async def attach_job(cls, job: Job) -> Self:
        return await cls.attach(job.folder)

    async def close(self) -> None:
        """Give back this worker's leases, without counting a loss, and release the folder.

        May be called twice. The lock is released even if the disk is full. In that case the leases
        are given back when the folder is opened again, with a loss counted.
        """
        if self._closed:
            return
        self._closed = True
        try:
            await self._close()
        finally:
            self.thread.shutdown()
            if self.lock:
                self.lock.release()

    @in_thread
    def _close(self) -> None:
        with contextlib.closing(self.db):
            if self.lock:
                self._return_leases(lost=False)

    @classmethod
    async def _made(
        cls,
        folder: Path,
        lock: FolderLock | None,
        *,
        policy: Policy | None = None,
        clock: Callable[[], float] | None = None,
        rng: random.Random | None = None,
        job: str = "",
    ) -> Self:
        thread = ThreadPoolExecutor(1, thread_name_prefix="frontier")
        chance = rng or random.Random()  # noqa: S311
        store = cls(folder, lock, policy or Policy(), clock or steady_clock(), chance, thread)
        try:
            await store._start(job)
        except BaseException:
            thread.shutdown(wait=False)
            raise
        return store

    @in_thread
    def _start(self, job: str) -> None:
        self.db = open_file(self.folder, create=self.lock is not None)
        self.db.row_factory = sqlite3.Row
        try:
            if job:
                claim(self.db, self.folder, job)
            if self.lock:
                self._set_limits()
                self._return_leases(lost=True)
        except BaseException:
            self.db.close()
            raise

    def _set_limits(self) -> None:
        """Store the policy's limits, which may differ from those of an earlier run."""
        policy = self.policy
        limits = {
            "visits": policy.visits_per_host,
            "pages": min(policy.pages_per_host or UNLIMITED, UNLIMITED),
            "share": -1 if policy.revisit_share is None else micro(policy.revisit_share),
        }
        # Anything later is wrong, as where the clock was ahead for a while in the last run.
        longest = micro(max(policy.longest_delay, policy.longest_backoff, policy.delay))
        if policy.daily_size_per_host:
            longest = max(longest, DAY)
        with self.transaction() as change:
            self._set_back(change)
            latest = {"latest": change.now + longest}
            self.db.execute(sql.SET_LIMITS, limits)
            self.db.execute(sql.REOPEN_HOSTS, latest)
            self.db.execute(sql.CUT_WAITING, latest)

    def _set_back(self, change: Transaction) -> None:
        """Let all times that are to come go back with the clock."""
        back = (change.job["time"] - change.now) // MICRO
        if back <= 0:
            return
        _log.warning(
            "the clock is %s s earlier than at the end of the last run; what waits for its time "
            "goes back with it",
            f"{back:,}",
        )
        self.db.execute(sql.SET_BACK_HOSTS, {"by": back * MICRO})
        self.db.execute(sql.SET_BACK_WAITING, {"by": back * MICRO})
        self.db.execute(sql.SET_BACK_VISITS, {"by": back})
        self.db.execute(sql.SET_BACK_JOB, {"by": back, "now": change.now})

    def _return_leases(self, *, lost: bool) -> None:
        with self.transaction() as change:
            for (token,) in self.db.execute(sql.ALL_LEASES).fetchall():
                change.take_back(token, lost=lost)

    @contextlib.contextmanager
    def transaction(self, *, reading: bool = False) -> Iterator[Transaction]:
        """Changes that are written together at its end, or not at all.

        reading: there are none, so it need not wait for other processes.
        """
        with translated(self.folder / FILE_NAME), transaction(self.db, reading=reading):
            change = Transaction(self.db, micro(self.clock()), self.policy)
            yield change
            change.write()

    def rows(self, *queries: tuple[str, Any]) -> list[list[sqlite3.Row]]:
        """The rows of some reading statements, all from one snapshot."""
        with translated(self.folder / FILE_NAME), transaction(self.db, reading=True):
            return [self.db.execute(*query).fetchall() for query in queries]

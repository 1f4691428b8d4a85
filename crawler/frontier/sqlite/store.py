"""The embedded frontier's transactions. Blocking; for one thread at a time."""

from __future__ import annotations

import contextlib
import random
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from crawler.frontier.base import LONGEST_REASON, Candidate, Lease
from crawler.frontier.encoding import MICRO, depth_of, micro, priority_of, rank_of
from crawler.frontier.policy import Policy
from crawler.frontier.sqlite import statements as sql
from crawler.frontier.sqlite.file import transaction, translated
from crawler.frontier.sqlite.ledger import Ledger
from crawler.urls import UrlError, address, digest

_UNLIMITED = 2**62
# How many expired leases and due retries one call of ``lease`` returns to the queue at most.
_COLLECTED = 500


class Moved(NamedTuple):
    """A URL that is moved from one table to another; see ``statements``."""

    host: int
    rank: int
    number: int
    url: str
    failures: int
    losses: int
    note: str


@dataclass(frozen=True)
class Store:
    """The frontier in one SQLite file.

    clock: seconds since 1970.
    """

    db: sqlite3.Connection
    path: Path
    policy: Policy
    clock: Callable[[], float]
    rng: random.Random

    def set_limits(self) -> None:
        """Store the policy's limits, which may differ from those of an earlier run."""
        limits = {
            "visits": self.policy.visits_per_host,
            "pages": min(self.policy.pages_per_host or _UNLIMITED, _UNLIMITED),
        }
        # Anything later is wrong: the clock was set back since it was written.
        longest = max(self.policy.longest_delay, self.policy.longest_backoff, self.policy.delay)
        latest = {"latest": self._now() + micro(longest)}
        with self._transaction():
            self.db.execute(sql.SET_LIMITS, limits)
            self.db.execute(sql.REOPEN_HOSTS, latest)
            self.db.execute(sql.CUT_WAITING, latest)

    def add(self, candidates: Sequence[Candidate]) -> int:
        ids: dict[str, int] = {}
        with self._transaction() as ledger:
            before = ledger.total("number")
            for candidate in candidates:
                try:
                    found = address(candidate.url)
                except UrlError:
                    ledger.count_job(refused=1)
                    continue
                if found.host not in ids:
                    ids[found.host] = self._host(found.host, ledger)
                host = ids[found.host]
                hashed = digest(found.canonical, ledger.job["key"], candidate.kind)
                if self.db.execute(sql.MARK_SEEN, (host, hashed)).rowcount:
                    rank = rank_of(candidate)
                    number = ledger.next("number")
                    moved = Moved(host, rank, number, found.url, 0, 0, candidate.note)
                    self._enqueue(moved, ledger)
            return ledger.total("number") - before

    def lease(self, n: int) -> list[Lease]:
        now = self._now()
        leases: list[Lease] = []
        with self._transaction(now) as ledger:
            self._collect(now, ledger)
            ledger.write_hosts()
            n = min(n, self._pages_left(ledger))
            while len(leases) < n:
                some = {"now": now, "limit": n - len(leases)}
                hosts = self.db.execute(sql.OPEN_HOSTS, some).fetchall()
                if not hosts:
                    break
                leases += [self._visit(host, name, now, ledger) for host, name in hosts]
                ledger.write_hosts()
        return leases

    def lease_in(self) -> float | None:
        with self._transaction() as ledger:
            times = [sql.NEXT_DEADLINE]
            if self._pages_left(ledger):
                times += [sql.NEXT_OPEN, sql.NEXT_DUE]
            found = [row[0] for time in times for row in self.db.execute(time)]
        return max(0.0, (min(found) - self._now()) / MICRO) if found else None

    def renew(self, leases: Sequence[Lease]) -> list[Lease]:
        deadline = self._now() + micro(self.policy.lease_seconds)
        with self._transaction():
            return [
                replace(lease, deadline=deadline / MICRO)
                for lease in leases
                if self.db.execute(sql.RENEW, (deadline, lease.token)).rowcount
            ]

    def fetched(self, leases: Sequence[Lease]) -> None:
        with self._transaction() as ledger:
            for lease in leases:
                for (host,) in self.db.execute(sql.END_VISIT, (lease.token,)).fetchall():
                    self._end_visit(host, ledger)

    def ack_all(self, outcomes: Sequence[tuple[Lease, str]], *, pages: bool) -> list[Lease]:
        lost = []
        counted: Counter[str] = Counter()
        with self._transaction() as ledger:
            for lease, outcome in outcomes:
                moved = self._take_lease(lease.token, ledger)
                if moved is None:
                    lost.append(lease)
                    continue
                counted[outcome] += 1
                ledger.count(moved.host, done=1, charged=pages)
            self.db.executemany(sql.COUNT_OUTCOME, counted.items())
        return lost

    def release(self, lease: Lease, retry_after: float | None, reason: str | None) -> bool:
        with self._transaction() as ledger:
            moved = self._take_lease(lease.token, ledger)
            if moved is None:
                return False
            wait = 0.0 if retry_after is None else self.policy.allowed(retry_after)
            if reason is not None:
                moved = moved._replace(failures=moved.failures + 1)
                if moved.failures >= self.policy.tries:
                    self._bury(moved, reason, ledger)
                    return True
                if retry_after is None:
                    wait = self.policy.backoff(moved.failures, self.rng)
            if wait:
                self.db.execute(sql.PUT_OFF, (*moved, self._now() + micro(wait)))
                ledger.count(moved.host, waiting=1)
            else:
                self._enqueue(moved, ledger)
            return True

    def return_all(self, *, lost: bool) -> None:
        """Return all leases to the queue; with ``lost``, count a loss because the worker died."""
        with self._transaction() as ledger:
            for (token,) in self.db.execute(sql.ALL_LEASES).fetchall():
                self._take_back(token, ledger, lost=lost)

    def delay_host(self, host: str, seconds: float) -> None:
        until = self._now() + micro(self.policy.allowed(seconds))
        with self._transaction() as ledger:
            self.db.execute(sql.DELAY_HOST, {"host": self._host(host, ledger), "until": until})

    def pace_host(self, host: str, seconds: float) -> None:
        pace = micro(self.policy.allowed(seconds))
        until = self._now() + min(pace, micro(self.policy.longest_pace))
        with self._transaction() as ledger:
            changes = {"pace": pace, "until": until}
            self.db.execute(sql.PACE_HOST, {"host": self._host(host, ledger), **changes})

    def count_received(self, size: int) -> None:
        with self._transaction() as ledger:
            ledger.count_job(received=size)

    def finished(self) -> bool:
        with self._transaction() as ledger:
            if ledger.job["leased"]:
                return False
            if not self._pages_left(ledger):
                return True
            left = (sql.NEXT_OPEN, sql.ANY_WAITING)
            return not any(self.db.execute(one).fetchone() for one in left)

    def rows(self, *queries: tuple[str, Any]) -> list[list[sqlite3.Row]]:
        """The rows of some reading statements, all from one snapshot."""
        with translated(self.path), transaction(self.db, reading=True):
            return [self.db.execute(*query).fetchall() for query in queries]

    def retry_dead(self, host: str | None) -> int:
        return self._empty_dead(host, requeue=True)

    def purge_dead(self, host: str | None) -> int:
        return self._empty_dead(host, requeue=False)

    def _empty_dead(self, host: str | None, *, requeue: bool) -> int:
        with self._transaction() as ledger:
            known = self.db.execute(sql.FIND_HOST, (host,)).fetchone()
            if host is not None and known is None:
                return 0
            chosen = {"host": known[0] if known else None}
            counts = self.db.execute(sql.DEAD_BY_HOST, chosen).fetchall()
            if requeue:
                self.db.execute(sql.REQUEUE_DEAD, chosen)
            self.db.execute(sql.DELETE_DEAD, chosen)
            for host_id, dead in counts:
                ledger.count(host_id, dead=-dead, queued=dead if requeue else 0)
            total = sum(int(dead) for _, dead in counts)
            ledger.count_job(purged=0 if requeue else total)
            return total

    @contextlib.contextmanager
    def _transaction(self, now: int | None = None) -> Iterator[Ledger]:
        """A transaction that writes the ledger's counters at its end."""
        with translated(self.path), transaction(self.db):
            time = self._now() if now is None else now
            ledger = Ledger(self.db, time, self.policy)
            yield ledger
            ledger.write()

    def _now(self) -> int:
        return micro(self.clock())

    def _host(self, name: str, ledger: Ledger) -> int:
        found = self.db.execute(sql.FIND_HOST, (name,)).fetchone()
        if found:
            return int(found[0])
        ledger.count_job(hosts=1)
        return int(self.db.execute(sql.ADD_HOST, (name,)).lastrowid or 0)

    def _pages_left(self, ledger: Ledger) -> int:
        pages, size = self.policy.pages, self.policy.total_size
        if size is not None and ledger.total("received") >= size:
            return 0
        if pages is None:
            return _UNLIMITED
        return max(0, pages - ledger.total("charged") - ledger.total("leased"))

    def _collect(self, now: int, ledger: Ledger) -> None:
        """Return due retries and expired leases to the queue."""
        some = {"now": now, "limit": _COLLECTED}
        for moved in map(Moved._make, self.db.execute(sql.TAKE_DUE, some).fetchall()):
            ledger.count(moved.host, waiting=-1)
            self._enqueue(moved, ledger)
        for (token,) in self.db.execute(sql.EXPIRED, some).fetchall():
            self._take_back(token, ledger, lost=True)

    def _visit(self, host: int, name: str, now: int, ledger: Ledger) -> Lease:
        (row,) = self.db.execute(sql.TAKE_FIRST, {"host": host}).fetchall()
        moved = Moved._make(row)
        token = ledger.next("token")
        deadline = now + micro(self.policy.lease_seconds)
        self.db.execute(sql.LEASE, (*moved, token, deadline))
        ledger.count(host, visited=True, turn=token, queued=-1, leased=1, visiting=1)
        return Lease(
            url=moved.url,
            host=name,
            depth=depth_of(moved.rank),
            priority=priority_of(moved.rank),
            attempt=moved.failures + moved.losses + 1,
            token=token,
            deadline=deadline / MICRO,
            note=moved.note,
        )

    def _take_lease(self, token: int, ledger: Ledger) -> Moved | None:
        """Remove a lease and return its URL; None if the lease was lost."""
        rows = self.db.execute(sql.TAKE_LEASE, (token,)).fetchall()
        if not rows:
            return None
        *row, visiting = rows[0]
        moved = Moved._make(row)
        ledger.count(moved.host, leased=-1)
        if visiting:
            self._end_visit(moved.host, ledger)
        return moved

    def _end_visit(self, host: int, ledger: Ledger) -> None:
        # If a host may have several visits at a time, only their starts are spaced.
        ledger.count(host, visiting=-1, visited=self.policy.visits_per_host == 1)

    def _take_back(self, token: int, ledger: Ledger, *, lost: bool) -> None:
        moved = self._take_lease(token, ledger)
        if moved is None:
            return
        moved = moved._replace(losses=moved.losses + lost)
        if lost and moved.losses >= self.policy.losses:
            reason = f"lease lost {moved.losses} times: its workers died or stopped responding"
            self._bury(moved, reason, ledger)
        else:
            self._enqueue(moved, ledger)

    def _enqueue(self, moved: Moved, ledger: Ledger) -> None:
        self.db.execute(sql.ENQUEUE, moved)
        ledger.count(moved.host, queued=1)

    def _bury(self, moved: Moved, reason: str, ledger: Ledger) -> None:
        self.db.execute(sql.BURY, (*moved, reason[:LONGEST_REASON], self._now()))
        ledger.count(moved.host, dead=1)

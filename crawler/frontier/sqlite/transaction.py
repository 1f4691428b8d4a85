"""One transaction of the embedded frontier: moves URLs between tables, and counts them."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from typing import NamedTuple

from crawler.frontier.base import LONGEST_REASON
from crawler.frontier.encoding import MICRO, depth_of, micro, priority_of
from crawler.frontier.notes import StoredNote
from crawler.frontier.policy import Policy
from crawler.frontier.sqlite import statements as sql
from crawler.lease import Lease

UNLIMITED = 2**62
# How many expired leases and due retries one call of ``lease`` returns to the queue at most.
_COLLECTED = 500
_HOST_COUNTERS = (
    *("queued", "waiting", "leased", "visiting", "done", "dead", "charged"),
    *("due", "credit", "visited", "unsent", "turn"),
)
_JOB_COUNTERS = (
    *("queued", "waiting", "leased", "done", "dead", "charged"),
    *("due", "purged", "refused", "hosts", "received", "number", "token"),
)


class UrlRow(NamedTuple):
    """A URL that is moved from one table to another; see ``statements``."""

    host: int
    rank: int
    number: int
    url: str
    failures: int
    losses: int
    note: str


class LeaseRow(NamedTuple):
    """A URL that was leased, and when, in microseconds since 1970."""

    url: UrlRow
    leased_at: int


class Transaction:
    """Collects the changes of counters, of hosts and of the whole job; ``write`` ends it.

    now: in microseconds since 1970.
    job: the job's row at the start of the transaction.
    """

    def __init__(self, db: sqlite3.Connection, now: int, policy: Policy) -> None:
        self.now = now
        self.job: sqlite3.Row = db.execute(sql.JOB).fetchone()
        self._db = db
        self._policy = policy
        self._hosts: defaultdict[int, Counter[str]] = defaultdict(Counter)
        self._job: Counter[str] = Counter()

    def count(
        self, host: int, *, visited: bool = False, unsent: int = 0, turn: int = 0, **changes: int
    ) -> None:
        """Change a host's counters and the job's alike.

        visited: a visit starts or ends now, so the host's delay counts from now.
        unsent: the token of a visit in which nothing was sent; 0 if there was none.
        """
        counters = self._hosts[host]
        counters.update(changes)
        counters["visited"] |= visited
        counters["unsent"] = max(counters["unsent"], unsent)
        counters["turn"] = max(counters["turn"], turn)
        for of_host in ("visiting", "credit"):
            changes.pop(of_host, None)
        self._job.update(changes)

    def count_job(self, **changes: int) -> None:
        self._job.update(changes)

    def next(self, name: str) -> int:
        """The next ``number`` or ``token``, which was never used before."""
        self._job[name] += 1
        return int(self.job[name]) + self._job[name]

    def total(self, name: str) -> int:
        """A counter of the job, including this transaction's changes."""
        return int(self.job[name]) + self._job[name]

    def pages_left(self) -> int:
        """How many more URLs may be leased by the limits of the whole job."""
        pages, size = self._policy.pages, self._policy.total_size
        if size is not None and self.total("received") - self.job["uncharged"] >= size:
            return 0
        if pages is None:
            return UNLIMITED
        return max(0, pages - self.total("charged") - self.total("leased"))

    def host_id(self, name: str) -> int:
        found = self._db.execute(sql.FIND_HOST, (name,)).fetchone()
        if found:
            return int(found[0])
        self.count_job(hosts=1)
        return int(self._db.execute(sql.ADD_HOST, (name,)).lastrowid or 0)

    def enqueue(self, row: UrlRow) -> None:
        self._db.execute(sql.ENQUEUE, row)
        self.count(row.host, queued=1)

    def put_off(self, row: UrlRow, seconds: float) -> None:
        self._db.execute(sql.PUT_OFF, (*row, self.now + micro(seconds)))
        self.count(row.host, waiting=1)

    def bury(self, row: UrlRow, reason: str) -> None:
        self._db.execute(sql.BURY, (*row, reason[:LONGEST_REASON], self.now))
        self.count(row.host, dead=1)

    def take_first(self, host: int) -> UrlRow:
        """Remove the first URL from the host's queue, and return it."""
        (found,) = self._db.execute(sql.TAKE_FIRST, {"host": host}).fetchall()
        return UrlRow._make(found)

    def lease(self, row: UrlRow, host: sqlite3.Row, **changes: int) -> Lease:
        """Lease a URL of a host. changes: of the counters of the place where it was."""
        token = self.next("token")
        deadline = self.now + micro(self._policy.lease_seconds)
        self._db.execute(sql.LEASE, (*row, token, deadline, self.now))
        self.count(row.host, visited=True, turn=token, leased=1, visiting=1, **changes)
        return Lease(
            url=row.url,
            host=host["name"],
            depth=depth_of(row.rank),
            priority=priority_of(row.rank),
            attempt=row.failures + row.losses + 1,
            token=token,
            deadline=deadline / MICRO,
            host_failures=host["failures"],
            **StoredNote.read(row.note)._asdict(),
        )

    def take_lease(self, token: int, *, sent: bool = True) -> LeaseRow | None:
        """Remove a lease and return its URL; None if the lease was lost.

        sent: whether anything was sent to the host in its visit.
        """
        rows = self._db.execute(sql.TAKE_LEASE, (token,)).fetchall()
        if not rows:
            return None
        *found, leased_at, visiting = rows[0]
        row = UrlRow._make(found)
        self.count(row.host, leased=-1)
        if visiting and sent:
            self._count_end_of_visit(row.host)
        elif visiting:
            self.count(row.host, visiting=-1, unsent=token)
        return LeaseRow(row, leased_at)

    def end_visit(self, token: int) -> None:
        for (host,) in self._db.execute(sql.END_VISIT, (token,)).fetchall():
            self._count_end_of_visit(host)

    def take_back(self, token: int, *, lost: bool) -> None:
        """Return a lease to the queue; with ``lost``, count a loss because the worker died."""
        leased = self.take_lease(token)
        if leased is None:
            return
        row = leased.url._replace(losses=leased.url.losses + lost)
        if lost and row.losses >= self._policy.losses:
            self.bury(row, f"lease lost {row.losses} times: its workers died or stopped responding")
        else:
            self.enqueue(row)

    def collect(self) -> None:
        """Return due retries and expired leases to the queue."""
        some = {"now": self.now, "limit": _COLLECTED}
        for row in map(UrlRow._make, self._db.execute(sql.TAKE_DUE, some).fetchall()):
            self.count(row.host, waiting=-1)
            self.enqueue(row)
        for (token,) in self._db.execute(sql.EXPIRED, some).fetchall():
            self.take_back(token, lost=True)

    def write_hosts(self) -> None:
        """Write the changes of hosts, so that the following statements see them."""
        times = {
            "now": self.now,
            "delay": micro(self._policy.delay),
            "longest_pace": micro(self._policy.longest_pace),
        }
        self._db.executemany(
            sql.COUNT_HOST,
            [
                {"host": host, **times, **{name: changes[name] for name in _HOST_COUNTERS}}
                for host, changes in self._hosts.items()
            ],
        )
        self._hosts.clear()

    def write(self) -> None:
        """Write all changes of counters, in few statements."""
        self.write_hosts()
        if self._job:
            changes = {name: self._job[name] for name in _JOB_COUNTERS}
            self._db.execute(sql.COUNT_JOB, {**changes, "now": self.now})

    def _count_end_of_visit(self, host: int) -> None:
        # If a host may have several visits at a time, only their starts are spaced.
        self.count(host, visiting=-1, visited=self._policy.visits_per_host == 1)

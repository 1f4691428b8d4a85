"""The counters that one transaction of the embedded frontier changes, written in few statements."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict

from crawler.frontier.micro import micro
from crawler.frontier.policy import Policy
from crawler.frontier.sqlite import statements as sql

_HOST_COUNTERS = (
    *("queued", "waiting", "leased", "visiting", "done", "dead", "charged"),
    *("visited", "turn"),
)
_JOB_COUNTERS = (
    *("queued", "waiting", "leased", "done", "dead", "charged"),
    *("purged", "refused", "hosts", "received", "number", "token"),
)


class Ledger:
    """Changes by host and of the whole job.

    job: the job's row as of the beginning of the transaction.
    policy: says how far apart the visits of a host are.
    """

    def __init__(self, db: sqlite3.Connection, now: int, policy: Policy) -> None:
        self.job: sqlite3.Row = db.execute(sql.JOB).fetchone()
        self._db = db
        self._times = {
            "now": now,
            "delay": micro(policy.delay),
            "longest_pace": micro(policy.longest_pace),
        }
        self._hosts: defaultdict[int, Counter[str]] = defaultdict(Counter)
        self._job: Counter[str] = Counter()

    def count(self, host: int, *, visited: bool = False, turn: int = 0, **changes: int) -> None:
        """Change a host's counters, and with them the job's.

        visited: a visit began or ended now, so that the host's delay counts from now.
        """
        counters = self._hosts[host]
        counters.update(changes)
        counters["visited"] |= visited
        counters["turn"] = max(counters["turn"], turn)
        changes.pop("visiting", None)
        self._job.update(changes)

    def count_job(self, **changes: int) -> None:
        self._job.update(changes)

    def next(self, name: str) -> int:
        """The next ``number`` or ``token``: one that was never given before."""
        self._job[name] += 1
        return int(self.job[name]) + self._job[name]

    def total(self, name: str) -> int:
        """A counter of the job, with this transaction's changes."""
        return int(self.job[name]) + self._job[name]

    def write_hosts(self) -> None:
        """Write what changed at hosts, so that statements see it."""
        self._db.executemany(
            sql.COUNT_HOST,
            [
                {"host": host, **self._times, **{name: changes[name] for name in _HOST_COUNTERS}}
                for host, changes in self._hosts.items()
            ],
        )
        self._hosts.clear()

    def write(self) -> None:
        self.write_hosts()
        if self._job:
            self._db.execute(sql.COUNT_JOB, {name: self._job[name] for name in _JOB_COUNTERS})

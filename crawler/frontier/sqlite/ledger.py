"""Collects the counter changes of one transaction, and writes them in few statements."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict

from crawler.frontier.encoding import micro
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
    """Counter changes of hosts and of the whole job.

    job: the job's row at the start of the transaction.
    policy: for the delay between visits of a host.
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
        """Change a host's counters and the job's alike.

        visited: a visit starts or ends now, so the host's delay counts from now.
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
        """The next ``number`` or ``token``, which was never used before."""
        self._job[name] += 1
        return int(self.job[name]) + self._job[name]

    def total(self, name: str) -> int:
        """A counter of the job, including this transaction's changes."""
        return int(self.job[name]) + self._job[name]

    def write_hosts(self) -> None:
        """Write the changes of hosts, so that the following statements see them."""
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

"""The visits to come in an embedded frontier: planned, made early, called off."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from crawler.frontier.base import Ack, Candidate
from crawler.frontier.encoding import MICRO, full_url, micro, short_url
from crawler.frontier.notes import HINTED, StoredNote
from crawler.frontier.policy import Policy
from crawler.frontier.sqlite import statements as sql
from crawler.frontier.sqlite.transaction import LeaseRow, Transaction, UrlRow
from crawler.frontier.visits import Visit
from crawler.urls import address, digest


class Visits:
    """The table of visits, within one transaction. A digest is in ``visits`` or in ``seen``.

    now: in seconds since 1970, rounded down.
    run_at: what is due by then belongs to the run.
    """

    def __init__(self, db: sqlite3.Connection, change: Transaction) -> None:
        self._db = db
        self._change = change
        self.now = change.now // MICRO
        self.run_at: int = change.job["run_at"]

    def plan(self, leased: LeaseRow, ack: Ack) -> None:
        """Store the next visit of a URL that is acknowledged, if it has one."""
        if ack.visit is None:
            return
        row = leased.url
        stored = StoredNote.read(row.note)
        hashed = digest(address(row.url).canonical, self._change.job["key"], stored.kind)
        self._db.execute(sql.UNMARK_SEEN, (row.host, hashed))
        self._db.execute(
            sql.PLAN,
            {
                "host": row.host,
                "due": self._due(ack.visit),
                "digest": hashed,
                "visited": leased.leased_at // MICRO,
                "rank": row.rank,
                "url": short_url(row.url, ack.lease.host),
                "note": stored._replace(history=ack.visit.history, hinted=False).text(),
            },
        )

    def take_first(self, host: int, name: str) -> UrlRow:
        """Remove the visit of the host that is overdue longest, and return its URL."""
        ((hashed, rank, url, note),) = self._db.execute(sql.TAKE_VISIT, {"host": host}).fetchall()
        self._db.execute(sql.MARK_SEEN, {"host": host, "digest": hashed})
        number = self._change.next("number")
        return UrlRow(host, rank, number, full_url(url, name), 0, 0, note)

    def hint(self, host: int, hashed: int, candidate: Candidate) -> None:
        """Make the visit of a known URL due, if it is said to have changed since the last one."""
        changed = candidate.changed_at
        if changed is None or changed > self._change.now / MICRO:
            return
        found = {"host": host, "digest": hashed, "run_at": self.run_at}
        hinted = self._db.execute(sql.HINT, {**found, "changed": changed, "mark": HINTED})
        if hinted.rowcount:
            self._change.count(host, due=1)

    def replace(self, visits: Mapping[str, Visit]) -> None:
        """Replace visits by URL, unless they are under way; what is due stays due."""
        for url, visit in visits.items():
            host, hashed = self._place(url)
            found = {"host": host, "digest": hashed, "run_at": self.run_at}
            for (note,) in self._db.execute(sql.FIND_VISIT, found).fetchall():
                text = StoredNote.read(note)._replace(history=visit.history).text()
                self._db.execute(sql.REPLAN, {**found, "due": self._due(visit), "note": text})

    def call_off(self, url: str) -> None:
        """Mark a page as seen for ever, without a visit to come."""
        host, hashed = self._place(url)
        found = {"host": host, "digest": hashed}
        for (due,) in self._db.execute(sql.CALL_OFF, found).fetchall():
            self._change.count(host, due=-(due <= self.run_at))
            self._db.execute(sql.MARK_SEEN, found)
            return
        if self._db.execute(sql.MARK_SEEN, found).rowcount:
            self._change.count_job(purged=1)

    def _place(self, url: str) -> tuple[int, int]:
        found = address(url)
        host = self._change.host_id(found.host)
        return host, digest(found.canonical, self._change.job["key"])

    def _due(self, visit: Visit) -> int:
        """In whole seconds, rounded up, and in no case in this run, so that a run ends."""
        due = -(-(self._change.now + round(visit.after * MICRO)) // MICRO)
        return max(due, self.run_at + 1)


def turn(queued: int, due: int, credit: int, policy: Policy) -> tuple[bool, int]:
    """Whether the next visit of a host goes to a URL that is due, and the change of its credit.

    credit: of such URLs, in millionths of a visit. It grows by their share with every visit for
        which others wait as well, and a visit takes 1 of it.

    >>> policy = Policy(revisit_share=0.4)
    >>> turn(5, 5, 300_000, policy), turn(5, 5, 700_000, policy), turn(0, 5, 300_000, policy)
    ((False, 400000), (True, -600000), (True, 0))
    """
    if policy.revisit_share is None or not (queued and due):
        return not queued, 0
    earned = micro(policy.revisit_share)
    again = credit + earned >= MICRO
    return again, earned - MICRO * again

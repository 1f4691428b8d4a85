"""The embedded frontier: one SQLite file in the job's folder, no server.

docs/explanation/frontier.md has its guarantees after a crash, and its cost.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from crawler.frontier.base import Ack, Candidate, DeadLetter, Frontier
from crawler.frontier.counters import changes
from crawler.frontier.encoding import (
    DAY,
    MICRO,
    batched,
    checked_outcome,
    depth_of,
    micro,
    rank_of,
)
from crawler.frontier.errors import FrontierError
from crawler.frontier.notes import StoredNote
from crawler.frontier.sqlite import statements as sql
from crawler.frontier.sqlite.sites import SqliteSites
from crawler.frontier.sqlite.store import SqliteStore, in_thread
from crawler.frontier.sqlite.transaction import UNLIMITED, Transaction, UrlRow
from crawler.frontier.sqlite.visits import Visits, turn
from crawler.frontier.stats import HostStats, RunStats, Stats
from crawler.frontier.visits import NOTHING, Visit
from crawler.lease import Lease
from crawler.urls import UrlError, address, digest

# Candidates per transaction; other transactions may run between two.
_BATCH = 1000


class SqliteFrontier(SqliteStore, Frontier):
    """Use ``open`` to crawl, or ``attach`` to inspect and control a crawl."""

    async def add(self, candidates: Iterable[Candidate]) -> int:
        return sum([await self._add(batch) for batch in batched(candidates, _BATCH)])

    @in_thread
    def _add(self, candidates: Sequence[Candidate]) -> int:
        ids: dict[str, int] = {}
        new = 0
        with self.transaction() as change:
            visits = Visits(self.db, change)
            for candidate in candidates:
                try:
                    found = address(candidate.url)
                except UrlError:
                    change.count_job(refused=1)
                    continue
                if found.host not in ids:
                    ids[found.host] = change.host_id(found.host)
                host = ids[found.host]
                hashed = digest(found.canonical, change.job["key"], candidate.kind)
                if not self.db.execute(sql.MARK_SEEN, {"host": host, "digest": hashed}).rowcount:
                    visits.hint(host, hashed, candidate)
                    continue
                new += 1
                rank, number = rank_of(candidate), change.next("number")
                note = StoredNote(candidate.note, candidate.kind).text()
                change.enqueue(UrlRow(host, rank, number, found.url, 0, 0, note))
        return new

    @in_thread
    def lease(self, n: int) -> list[Lease]:
        if self.lock is None:
            raise FrontierError("a frontier that is only attached cannot lease; use open()")
        leases: list[Lease] = []
        with self.transaction() as change:
            change.collect()
            change.write_hosts()
            n = min(n, change.pages_left())
            while len(leases) < n:
                some = {"now": change.now, "limit": n - len(leases)}
                hosts = self.db.execute(sql.OPEN_HOSTS, some).fetchall()
                if not hosts:
                    break
                leases += [self._visit(change, host) for host in hosts]
                change.write_hosts()
        return leases

    def _visit(self, change: Transaction, host: sqlite3.Row) -> Lease:
        """Lease a URL of an open host: one from its queue, or one that is due again."""
        again, credit = turn(host["queued"], host["due"], host["credit"], self.policy)
        if again:
            row = Visits(self.db, change).take_first(host["id"], host["name"])
            return change.lease(row, host, due=-1, done=-1, credit=credit)
        row = change.take_first(host["id"])
        return change.lease(row, host, queued=-1, credit=credit)

    @in_thread
    def lease_in(self) -> float | None:
        with self.transaction(reading=True) as change:
            times = [sql.NEXT_DEADLINE]
            if change.pages_left():
                times += [sql.NEXT_OPEN, sql.NEXT_DUE]
            found = [row[0] for time in times for row in self.db.execute(time)]
        return max(0.0, (min(found) - micro(self.clock())) / MICRO) if found else None

    @in_thread
    def renew(self, leases: Sequence[Lease]) -> list[Lease]:
        with self.transaction() as change:
            deadline = change.now + micro(self.policy.lease_seconds)
            return [
                replace(lease, deadline=deadline / MICRO)
                for lease in leases
                if self.db.execute(sql.RENEW, (deadline, lease.token)).rowcount
            ]

    @property
    def lease_seconds(self) -> float:
        return self.policy.lease_seconds

    @in_thread
    def fetched(self, leases: Sequence[Lease]) -> None:
        with self.transaction() as change:
            for lease in leases:
                change.end_visit(lease.token)

    @in_thread
    def ack_all(self, acks: Sequence[Ack]) -> list[Lease]:
        lost = []
        counted: Counter[str] = Counter()
        with self.transaction() as change:
            visits = Visits(self.db, change)
            for ack in acks:
                leased = change.take_lease(ack.lease.token, sent=ack.sent)
                if leased is None:
                    lost.append(ack.lease)
                    continue
                counted[checked_outcome(ack.outcome)] += 1
                host = leased.url.host
                change.count(host, done=1, charged=ack.page)
                visits.plan(leased, ack)
                self.db.executemany(sql.COUNT, [(host, *pair) for pair in ack.counts.items()])
            self.db.executemany(sql.COUNT_OUTCOME, counted.items())
        return lost

    @in_thread
    def release(
        self,
        lease: Lease,
        *,
        retry_after: float | None = None,
        reason: str | None = None,
        is_final: bool = False,
        sent: bool = True,
    ) -> bool:
        with self.transaction() as change:
            leased = change.take_lease(lease.token, sent=sent)
            if leased is None:
                return False
            row = leased.url
            wait = 0.0 if retry_after is None else self.policy.allowed(retry_after)
            if reason is not None:
                row = row._replace(failures=row.failures + 1)
                if is_final or row.failures >= self.policy.tries:
                    change.bury(row, reason)
                    return True
                if retry_after is None:
                    wait = self.policy.backoff(row.failures, self.rng)
            if wait:
                change.put_off(row, wait)
            else:
                change.enqueue(row)
            return True

    @in_thread
    def set_failures(self, host: str, before: int, failures: int) -> bool:
        with self.transaction():
            found = {"name": host, "before": before, "failures": failures}
            return bool(self.db.execute(sql.SET_FAILURES, found).rowcount)

    @in_thread
    def delay_host(self, host: str, seconds: float) -> None:
        wait = micro(self.policy.allowed(seconds))
        with self.transaction() as change:
            until = {"host": change.host_id(host), "until": change.now + wait}
            self.db.execute(sql.DELAY_HOST, until)

    @in_thread
    def pace_host(self, host: str, seconds: float) -> None:
        pace = micro(self.policy.allowed(seconds))
        wait = min(pace, micro(self.policy.longest_pace))
        with self.transaction() as change:
            until = {"host": change.host_id(host), "until": change.now + wait}
            self.db.execute(sql.PACE_HOST, {**until, "pace": pace})

    @in_thread
    def recount(
        self,
        teller: str,
        number: int,
        changes: Mapping[str, int],
        visits: Mapping[str, Visit] = NOTHING,
    ) -> None:
        with self.transaction() as change:
            if self.db.execute(sql.RECOUNT, (teller, number)).rowcount:
                self.db.executemany(sql.COUNT_OUTCOME, changes.items())
                Visits(self.db, change).replace(visits)

    @in_thread
    def history(self, url: str) -> str:
        found = address(url)
        with self.transaction(reading=True) as change:
            hashed = digest(found.canonical, change.job["key"])
            row = self.db.execute(sql.FIND_NOTE, (found.host, hashed)).fetchone()
        return StoredNote.read(row["note"]).history if row else ""

    @in_thread
    def begin_run(self) -> bool:
        with self.transaction() as change:
            if not self._is_finished(change):
                return False
            self.db.execute(sql.BEGIN_RUN, {"now": change.now // MICRO})
            self.db.execute(sql.BEGIN_OUTCOMES)
            self.db.execute(sql.FIND_DUE)
            self.db.execute(sql.COUNT_DUE)
            self.db.execute(sql.REOPEN_HOSTS, {"latest": UNLIMITED})
            return True

    @in_thread
    def counts(self, host: str) -> Mapping[str, float]:
        (rows,) = self.rows((sql.COUNTS, (host,)))
        return dict(map(tuple, rows))

    @in_thread
    def forget(self, urls: Sequence[str]) -> None:
        with self.transaction() as change:
            visits = Visits(self.db, change)
            for url in urls:
                visits.call_off(url)

    def sites(self, capacity: int) -> SqliteSites:
        return SqliteSites(self, capacity)

    @in_thread
    def count_received(self, size: int) -> None:
        with self.transaction() as change:
            change.count_job(received=size)

    @in_thread
    def count_sent(self, sizes: Mapping[str, int]) -> list[str]:
        resting = []
        most = self.policy.daily_size_per_host or UNLIMITED
        with self.transaction() as change:
            day = change.now // DAY
            for host, size in sizes.items():
                known = self.db.execute(sql.FIND_HOST, (host,)).fetchone()
                if known is None:
                    continue
                of_host = {"host": known[0], "day": day, "until": (day + 1) * DAY}
                (row,) = self.db.execute(sql.COUNT_SENT, {**of_host, "size": size}).fetchall()
                self.db.execute(sql.SET_SENT_DAY, of_host)
                if row["amount"] >= most:
                    self.db.execute(sql.DELAY_HOST, of_host)
                    resting.append(host)
        return resting

    @in_thread
    def finished(self) -> bool:
        with self.transaction(reading=True) as change:
            return self._is_finished(change)

    def _is_finished(self, change: Transaction) -> bool:
        if change.job["leased"]:
            return False
        if not change.pages_left():
            return True
        left = (sql.NEXT_OPEN, sql.ANY_WAITING)
        return not any(self.db.execute(one).fetchone() for one in left)

    @in_thread
    def stats(self) -> Stats:
        now = micro(self.clock())
        (job,), counted, ((expired,),) = self.rows(
            (sql.JOB, ()), (sql.OUTCOMES, ()), (sql.COUNT_EXPIRED, (now,))
        )
        states = ("queued", "waiting", "leased", "done", "dead", "purged")
        same = ("waiting", "done", "dead", "purged", "refused", "hosts", "received", "due")
        outcomes = {row["outcome"]: row["pages"] for row in counted}
        before = {row["outcome"]: row["before"] for row in counted}
        return Stats(
            added=sum(job[state] for state in states),
            queued=job["queued"] + job["waiting"] + expired,
            leased=job["leased"] - expired,
            **{name: job[name] for name in same},
            outcomes=changes(outcomes, {}),
            run=RunStats(
                job["charged"],
                job["received"] - job["uncharged"],
                changes(outcomes, before),
                has_leased=job["token"] > job["run_token"],
            ),
        )

    @in_thread
    def hosts(self, limit: int = 20) -> list[HostStats]:
        (rows,) = self.rows((sql.BUSIEST_HOSTS, {"limit": limit, "now": micro(self.clock())}))
        return [
            HostStats(name, queued, leased, done, dead, next_at / MICRO)
            for name, queued, leased, done, dead, next_at in rows
        ]

    @in_thread
    def dead_letters(
        self, limit: int = 100, *, after: int = 0, host: str | None = None
    ) -> list[DeadLetter]:
        (rows,) = self.rows((sql.DEAD_LETTERS, {"limit": limit, "after": after, "name": host}))
        return [
            DeadLetter(
                number=row["number"],
                url=row["url"],
                host=row["name"],
                depth=depth_of(row["rank"]),
                attempts=row["failures"] + row["losses"],
                reason=row["reason"],
                died_at=row["died_at"] / MICRO,
            )
            for row in rows
        ]

    @in_thread
    def dead_reasons(self, host: str | None = None) -> dict[str, int]:
        (rows,) = self.rows((sql.DEAD_REASONS, {"name": host}))
        return dict(map(tuple, rows))

    @in_thread
    def _empty_dead(self, host: str | None, reason: str | None, *, requeue: bool) -> int:
        with self.transaction() as change:
            known = self.db.execute(sql.FIND_HOST, (host,)).fetchone()
            if host is not None and known is None:
                return 0
            chosen = {"host": known[0] if known else None, "reason": reason}
            counts = self.db.execute(sql.DEAD_BY_HOST, chosen).fetchall()
            if requeue:
                self.db.execute(sql.FORGET_FAILURES, chosen)
                self.db.execute(sql.REQUEUE_DEAD, chosen)
            self.db.execute(sql.DELETE_DEAD, chosen)
            for host_id, dead in counts:
                change.count(host_id, dead=-dead, queued=dead if requeue else 0)
            total = sum(int(dead) for _, dead in counts)
            change.count_job(purged=0 if requeue else total)
            return total

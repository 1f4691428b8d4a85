"""Frontiers as older versions wrote them are opened, and go on with revisits.

``older_frontiers`` has a file as SQL, and a job as Redis commands. Each is of a crawl of 10 URLs:
2 are done, 6 queued, 1 waits after a failure, 1 is dead.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from blocking_frontier import EAGER, Blocking, Clock, urls
from frontier_audit import audit as audit_sqlite
from redis.asyncio import Redis
from redis_audit import audit as audit_redis
from redis_process import RedisProcess

from crawler.frontier import Ack, Policy, RunStats, SqliteFrontier, Visit
from crawler.frontier.redis import RedisFrontier
from crawler.frontier.sqlite.file import FILE_NAME
from crawler.frontier.sqlite.statements import REVISITS, RUNS

OLDER = Path(__file__).with_name("older_frontiers")
DAY = 86_400.0
ONCE = replace(EAGER, pages_per_host=50)
AGAIN = replace(ONCE, revisit_share=0.5)
# A file of version 2 is one of version 3 without what is known of sites; one of version 4 has what
# is known of revisits, one of version 5 what is known of runs.
CHANGES = {
    2: ("DROP TABLE sites", "DROP TABLE recounts"),
    3: (),
    4: REVISITS,
    5: (*REVISITS, *RUNS),
}


def write_file(folder: Path, version: int) -> None:
    with closing(sqlite3.connect(folder / FILE_NAME)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript((OLDER / "sqlite-version-3.sql").read_text())
        for statement in (*CHANGES[version], f"PRAGMA user_version = {version}"):
            db.execute(statement)


async def write_job(url: str) -> None:
    lines = (OLDER / "redis-version-2.jsonl").read_text().splitlines()
    async with Redis.from_url(url) as redis:
        for line in lines:
            parts = json.loads(line)
            await redis.execute_command(
                *(bytes.fromhex(part["hex"]) if isinstance(part, dict) else part for part in parts)
            )


def goes_on(frontier: Blocking, clock: Clock, policy: Policy) -> None:
    stats = frontier.stats()
    assert (stats.added, stats.queued, stats.waiting) == (10, 7, 1)
    assert (stats.done, stats.dead, stats.due, stats.received) == (2, 1, 0, 1000)
    assert (stats.run.outcomes, stats.run.has_leased) == (stats.outcomes, True)
    assert frontier.retry_dead() == 1
    clock.pass_(60)
    leases = frontier.lease(99)
    assert len(leases) == 8
    assert {lease.history for lease in leases} == {""}
    assert not frontier.add_urls("http://a.test/0", "http://a.test/1", "https://b.test/")
    frontier.ack_all([Ack(lease, "kept", Visit(DAY, "h"), page=True) for lease in leases])
    assert frontier.finished()
    clock.pass_(2 * DAY)
    assert frontier.begin_run()
    assert frontier.stats().run == RunStats()
    # Of what was done before, only digests are left.
    assert frontier.stats().due == 8
    again = leases if policy is AGAIN else []
    assert sorted(urls(frontier.lease(99))) == sorted(urls(again))


@pytest.mark.parametrize("version", CHANGES)
@pytest.mark.parametrize("policy", [ONCE, AGAIN], ids=["once", "again"])
def test_a_file_of_an_older_version(tmp_path: Path, policy: Policy, version: int) -> None:
    write_file(tmp_path, version)
    clock = Clock()
    with asyncio.Runner() as runner:
        opened = runner.run(SqliteFrontier.open(tmp_path, policy, job="old", clock=clock))
        frontier = Blocking(opened, runner)
        try:
            goes_on(frontier, clock, policy)
        finally:
            frontier.close()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as db:
        audit_sqlite(db)


@pytest.mark.parametrize("policy", [ONCE, AGAIN], ids=["once", "again"])
def test_urls_that_were_several_pages_and_are_one_now(tmp_path: Path, policy: Policy) -> None:
    """As for each session id of a kind that was not known yet."""
    clock = Clock()
    with asyncio.Runner() as runner:

        def opened() -> Blocking:
            opening = SqliteFrontier.open(tmp_path, policy, job="old", clock=clock)
            return Blocking(runner.run(opening), runner)

        frontier = opened()
        frontier.add_urls("http://a.test/1", "http://a.test/2", "http://a.test/3")
        frontier.close()
        with closing(sqlite3.connect(tmp_path / FILE_NAME)) as db:
            db.execute("UPDATE queue SET url = format('http://a.test/t?sid=%032d', number)")
            db.commit()
        frontier = opened()
        leases = frontier.lease(99)
        assert len({lease.url for lease in leases}) == 3
        assert not frontier.ack_all(
            [Ack(one, "kept", Visit(DAY, "h"), page=True) for one in leases]
        )
        assert frontier.finished()
        assert not frontier.add_urls("http://a.test/t", f"http://a.test/t?sid={7:032}")
        assert frontier.history("http://a.test/t") == "h"
        clock.pass_(2 * DAY)
        assert frontier.begin_run()
        assert len(frontier.lease(99)) == (policy is AGAIN)
        frontier.close()


@pytest.mark.parametrize("policy", [ONCE, AGAIN], ids=["once", "again"])
def test_a_job_in_redis_of_version_2(own: RedisProcess, policy: Policy) -> None:
    clock = Clock()
    with asyncio.Runner() as runner:
        runner.run(write_job(own.url))
        attached = Blocking(runner.run(RedisFrontier.attach(own.url, "old")), runner)
        assert attached.stats().added == 10
        attached.close()
        opened = runner.run(RedisFrontier.open(own.url, "old", policy, clock=clock))
        frontier = Blocking(opened, runner)
        try:
            goes_on(frontier, clock, policy)
        finally:
            frontier.close()
        runner.run(audit_redis(own.url, "old"))

"""Whether the counters of an embedded frontier's file say what its rows say."""

# ruff: noqa: S608

from __future__ import annotations

import sqlite3

_STATES = {"queued": "queue", "waiting": "waiting", "leased": "leases", "dead": "dead"}


def audit(db: sqlite3.Connection) -> None:
    """AssertionError if a URL is in no state, or in two, or a counter or flag is wrong."""

    def number(query: str) -> int:
        return int(db.execute(f"SELECT {query}").fetchone()[0])

    for counter, table in _STATES.items():
        rows = number(f"count(*) FROM {table}")
        assert rows == number(f"{counter} FROM job"), counter
        assert rows == number(f"coalesce(sum({counter}), 0) FROM hosts"), counter
        wrong = f"""count(*) FROM hosts WHERE {counter} !=
            (SELECT count(*) FROM {table} WHERE {table}.host = hosts.id)"""
        assert number(wrong) == 0, counter
    numbers = " UNION ALL ".join(f"SELECT number FROM {table}" for table in _STATES.values())
    live = number(f"count(DISTINCT number) FROM ({numbers})")
    assert live == number(f"count(*) FROM ({numbers})")
    seen = number("count(*) FROM seen") + number("count(*) FROM visits")
    assert seen == live + number("done + purged FROM job")
    both = "count(*) FROM seen JOIN visits USING (host, digest)"
    assert number(both) == 0
    assert number("done FROM job") >= number("count(*) FROM visits")
    assert number("done FROM job") <= number("coalesce(sum(pages), 0) FROM outcomes")
    assert number("charged FROM job") == number("coalesce(sum(charged), 0) FROM hosts")
    assert number("due FROM job") == number("coalesce(sum(due), 0) FROM hosts")
    late = """count(*) FROM hosts WHERE due != (SELECT count(*) FROM visits, job
        WHERE visits.host = hosts.id AND visits.due <= run_at)"""
    assert number(late) == 0
    assert number("count(*) FROM hosts WHERE credit NOT BETWEEN 0 AND 999999") == 0
    assert number("hosts FROM job") == number("count(*) FROM hosts")
    assert (
        number("""count(*) FROM hosts WHERE visiting !=
        (SELECT count(*) FROM leases WHERE leases.host = hosts.id AND leases.visiting)""")
        == 0
    )
    assert (
        number("""count(*) FROM hosts, job WHERE open != (
        hosts.queued + hosts.due * (share >= 0) > 0
        AND hosts.visiting < visits_per_host
        AND hosts.charged + hosts.leased < pages_per_host)""")
        == 0
    )

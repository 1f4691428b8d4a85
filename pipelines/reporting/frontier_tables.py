"""The statistics of a frontier as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

from rich.console import Group
from rich.table import Table
from rich.text import Text

from crawler.frontier import DeadLetter, HostStats, Stats
from crawler.frontier.base import by_count
from crawler.frontier.redis.job import Fleet


def tables(
    stats: Stats,
    hosts: Sequence[HostStats],
    reasons: Mapping[str, int],
    dead: Sequence[DeadLetter],
    fleet: Fleet | None,
) -> Group:
    """URLs by state, the fleet, done URLs by outcome, the busiest hosts and the dead URLs.

    reasons: of all dead URLs. dead: the first of them.
    """
    counts = asdict(stats)
    outcomes, received = counts.pop("outcomes"), counts.pop("received")
    numbers = (*counts.items(), ("bytes received", received))
    parts: list[Table | Text] = [_numbers("URLs", numbers)]
    if fleet:
        state = f"{fleet.state}, {fleet.per_minute:,.1f} URLs done per minute"
        parts += [
            Text(),
            Text(state),
            Text(),
            _numbers("leases by worker", by_count(fleet.leases).items()),
        ]
    if outcomes:
        parts += [Text(), _numbers("done", outcomes.items())]
    if hosts:
        rows = [(host.host, host.queued, host.leased, host.done, host.dead) for host in hosts]
        parts += [Text(), _table(("host", "queued", "leased", "done", "dead"), rows)]
    if reasons:
        parts += [Text(), _numbers("dead by reason", reasons.items())]
    if dead:
        letters = [(letter.url, letter.attempts, letter.reason) for letter in dead]
        parts += [Text(), _table(("dead URL", "attempts", "reason"), letters)]
    return Group(*parts)


def _numbers(title: str, counts: Iterable[tuple[str, int]]) -> Table:
    table = _table((title, ""), counts)
    table.columns[1].justify = "right"
    return table


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in columns:
        # Users copy URLs from here: wrap them, never truncate.
        table.add_column(column, overflow="fold")
    for row in rows:
        # Text, so that rich does not read markup in what comes from the web.
        table.add_row(*(Text(f"{cell:,}" if isinstance(cell, int) else str(cell)) for cell in row))
    return table

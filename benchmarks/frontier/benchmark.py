"""Frontiers as they grow: additions and leases per second, latency, bytes per URL.

The embedded frontier, or, with ``--redis``, the shared one compared with scrapy-redis; or, with
``--known``, what both store of URLs that are visited again.

URLs are added like the links of pages: some dozens at a time, mostly of one host. A fifth has a
query, which makes canonicalisation more expensive. The size grows tenfold up to ``--urls``; at each
size, pages are leased, fetched (in no time) and acknowledged in batches like those of a crawler.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sqlite3
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.frontier import known
from benchmarks.report import Cell, Report
from corpus_commons.terminal.arguments import positive, whole
from crawler.frontier import Ack, Candidate, Policy, SqliteFrontier
from crawler.frontier.sqlite.file import FILE_NAME

SUMMARY = (
    "measure the embedded frontier at growing sizes, or compare the Redis one with scrapy-redis"
)

_LINKS = 50
_BATCH = 16
# A hundredth, a tenth and all of the URLs.
_SIZES = (100, 10, 1)
# The number of leases measured per size, or a quarter of its URLs if that is less.
_LEASES = 4000
_POLICY = Policy(delay=0, visits_per_host=8)
_COLUMNS = {
    **dict.fromkeys(("URLs added", "added/s", "added per CPU s"), ",.0f"),
    **dict.fromkeys(("leased and done/s", "leased and done per CPU s"), ",.0f"),
    **dict.fromkeys((f"lease of {_BATCH}: ms, p50", "p99"), ".2f"),
}


class Stopwatch:
    """Wall-clock and CPU time; other load on the machine only affects the first."""

    def __init__(self) -> None:
        self._wall = time.perf_counter()
        self._processor = time.process_time()

    def rates(self, count: int) -> tuple[float, float]:
        """The rates per wall-clock second and per CPU second."""
        wall = time.perf_counter() - self._wall
        processor = time.process_time() - self._processor
        return count / wall, count / processor


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--urls", type=positive, default=1_000_000, help="(default: %(default)s)")
    parser.add_argument("--hosts", type=positive, default=10_000, help="(default: %(default)s)")
    parser.add_argument("--folder", type=Path, help="for the file (default: a temporary one)")
    parser.add_argument("--seed", type=int, default=0)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--redis", action="store_true", help="measure the shared frontier")
    what.add_argument("--known", action="store_true", help="measure URLs that are visited again")
    parser.add_argument(
        "--history",
        type=whole,
        default=150,
        help="characters kept of a visit (default: %(default)s)",
    )


def run(arguments: argparse.Namespace, report: Report) -> int:
    if arguments.redis or arguments.known:
        pages = _pages(arguments.hosts, random.Random(arguments.seed))
        if arguments.known:
            return asyncio.run(known.run(pages, arguments.urls, arguments.history, report))
        # Only this needs scrapy-redis.
        from benchmarks.frontier.redis import run as run_redis  # noqa: PLC0415

        return run_redis(pages, arguments.urls, report)
    with TemporaryDirectory(dir=arguments.folder) as name:
        folder = Path(name)
        rows, length = asyncio.run(_measure(folder, arguments))
        report.say(f"{arguments.hosts:,} hosts, URLs of {length:.0f} characters\n")
        report.table("speed", _COLUMNS, rows)
        columns = {"table": "", "rows": ",d", "bytes/row": ".1f"}
        report.table("bytes", columns, _bytes_by_table(folder))
    return 0


async def _measure(
    folder: Path, arguments: argparse.Namespace
) -> tuple[list[tuple[Cell, ...]], float]:
    rng = random.Random(arguments.seed)
    pages = _pages(arguments.hosts, rng)
    rows: list[tuple[Cell, ...]] = []
    lengths: list[int] = []
    async with await SqliteFrontier.open(folder, _POLICY) as frontier:
        added = 0
        for part in _SIZES:
            size = arguments.urls // part
            watch, before = Stopwatch(), added
            while added < size:
                links = next(pages)
                lengths.append(len(links[0].url))
                added += await frontier.add(links)
            rates = watch.rates(added - before)
            rows.append((added, *rates, *(await _lease(frontier, min(_LEASES, size // 4)))))
    return rows, statistics.fmean(lengths)


def _pages(hosts: int, rng: random.Random) -> Iterator[list[Candidate]]:
    """The links of page after page; a few hosts have most of the pages."""
    number = 0
    while True:
        home = int(hosts * rng.random() ** 2)
        links = []
        for _ in range(_LINKS):
            number += 1
            host = home if rng.random() < 0.9 else rng.randrange(hosts)
            query = f"?page={number % 7}&order=newest" if rng.random() < 0.2 else ""
            url = (
                f"https://www.site-{host:06}.example/news/2026/{number % 12 + 1:02}"
                f"/a-headline-of-some-words-{number:08}.html{query}"
            )
            links.append(Candidate(url, depth=rng.randrange(1, 6)))
        yield links


async def _lease(frontier: SqliteFrontier, count: int) -> tuple[float, ...]:
    """Leased and done per second; median and 99th percentile of a lease call in ms."""
    watch = Stopwatch()
    leased = 0
    calls = []
    while leased < count:
        before = time.perf_counter()
        leases = await frontier.lease(_BATCH)
        calls.append((time.perf_counter() - before) * 1000)
        leased += len(leases)
        await frontier.fetched(leases)
        await frontier.ack_all([Ack(lease, "kept") for lease in leases])
    centiles = statistics.quantiles(calls, n=100)
    return *watch.rates(leased), statistics.median(calls), centiles[98]


def _bytes_by_table(folder: Path) -> list[tuple[str, int, float]]:
    """For the tables that grow with the URLs; needs SQLite's dbstat, which most builds have."""
    db = sqlite3.connect(folder / FILE_NAME)
    rows = []
    for name in ("seen", "queue", "hosts"):
        (count,) = db.execute(f"SELECT count(*) FROM {name}").fetchone()  # noqa: S608
        (size,) = db.execute(
            """SELECT sum(pgsize) FROM dbstat JOIN sqlite_schema USING (name)
            WHERE tbl_name = ?""",
            (name,),
        ).fetchone()
        rows.append((name, count, size / max(1, count)))
    db.close()
    return rows

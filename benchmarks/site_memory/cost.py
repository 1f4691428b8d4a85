"""What site memory costs a crawl: CPU time with and without it, in turns.

The first pages of a site are read twice. So a site of many pages costs little more, and sites of
few pages, which are all read twice, are the worst case.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from benchmarks.fault_crawl import ended_cpu_seconds
from benchmarks.fault_site import FaultSite
from benchmarks.report import Cell, Report
from benchmarks.site_memory.sites import crawl_of, ended, serving
from corpus_commons.terminal.arguments import positive
from extraction.labelled import read_pages

SUMMARY = "measure the CPU time of a crawl with and without site memory"
# Pages of each of the small sites.
_FEW: Final = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a .jsonl.zst of pages")
    parser.add_argument("--pages", type=positive, default=600, help="(%(default)s)")
    parser.add_argument("--rounds", type=positive, default=2, help="(%(default)s)")


def run(arguments: argparse.Namespace, report: Report) -> int:
    html = [page.html for page in islice(read_pages(arguments.data), arguments.pages)]
    few = [html[start : start + _FEW] for start in range(0, len(html), _FEW)]
    rows: list[tuple[Cell, ...]] = []
    with tempfile.TemporaryDirectory(prefix="cost-") as name:
        with serving([html[:1]], latency=0) as site:
            startup = min(_seconds(Path(name, f"start-{n}"), site, is_on=False)[0] for n in (0, 1))
        for title, sites in (("one site", [html]), (f"sites of {_FEW} pages", few)):
            with serving(sites, latency=0) as served:
                found = _beside(Path(name, title), served, len(html), startup, arguments.rounds)
            rows.append((title, len(html), *found))
    columns = {
        "pages on": "",
        "pages": "d",
        "CPU ms per page, without": ".1f",
        "with site memory": ".1f",
        "ratio": ".2f",
        "pages/s, without": ".1f",
        "pages/s, with": ".1f",
    }
    report.say(f"startup, {startup:.1f} s of CPU time, is taken off\n")
    report.table("cost", columns, rows)
    return 0


def _beside(
    folder: Path, sites: Sequence[FaultSite], pages: int, startup: float, rounds: int
) -> tuple[float, ...]:
    """The least CPU time per page in ms without and with, their ratio, and the best speeds."""
    took = {
        is_on: [_seconds(folder / f"{is_on}-{n}", sites, is_on=is_on) for n in range(rounds)]
        for is_on in (False, True)
    }
    without, with_it = (
        (min(cpu for cpu, _ in took[is_on]) - startup) / pages * 1000 for is_on in (False, True)
    )
    speeds = (pages / min(wall for _, wall in took[is_on]) for is_on in (False, True))
    return without, with_it, with_it / without, *speeds


def _seconds(folder: Path, sites: Sequence[FaultSite], *, is_on: bool) -> tuple[float, float]:
    """The CPU time of all processes of a crawl, and the time from its first request to its end."""
    for site in sites:
        site.forget()
    before = ended_cpu_seconds()
    problem = ended(crawl_of(folder, sites, site_memory=is_on).start())
    if problem:
        raise SystemExit(problem)
    first = min(site.asked[0].time for site in sites)
    took = ended_cpu_seconds() - before, time.monotonic() - first
    sys.stderr.write(f"{folder.name}: {took[0]:.1f} s of CPU time in {took[1]:.1f} s\n")
    return took

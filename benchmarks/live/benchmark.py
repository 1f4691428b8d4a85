"""What the live page costs a crawl: without it, with it, and with viewers.

The same crawl of a site on localhost takes turns. CPU time is that of the crawl's own processes:
the viewers are connections of this process that read all that they are sent. On the same cores
they cost pages per second, too, which they would not do where they are in practice.

Differences are between crawls of the same round; the range of their median is such that a median
outside it would be found in less than one of twenty series (by the sign test).

``--paused`` measures the page's own CPU time, in a crawl that does nothing else.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.crawl.site import serving
from benchmarks.live.crawl import Run, crawl
from benchmarks.live.paused import paused
from benchmarks.report import Cell, Report
from corpus_commons.terminal.arguments import positive
from extraction.labelled import read_pages

SUMMARY = "measure what the live page costs a crawl, alone and with viewers"

_OFF: Final = "no live page"
_ON: Final = "live page"
_CONFIDENCE: Final = 0.95


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a .jsonl.zst of pages")
    parser.add_argument("--limit", type=positive, default=1000, help="pages (default: %(default)s)")
    parser.add_argument("--rounds", type=positive, default=9, help="(default: %(default)s)")
    parser.add_argument("--viewers", type=positive, default=50, help="(default: %(default)s)")
    parser.add_argument(
        "--paused", action="store_true", help="only the CPU time of the page of a paused crawl"
    )
    parser.add_argument("--folder", type=Path, help="for all files (default: a temporary one)")


def run(arguments: argparse.Namespace, report: Report) -> int:
    pages = list(read_pages(arguments.data))[: arguments.limit]
    if arguments.paused:
        return paused(pages, arguments, report)
    kinds = {_OFF: None, _ON: 0, f"{_ON}, {arguments.viewers} viewers": arguments.viewers}
    found: dict[str, list[Run]] = {name: [] for name in kinds}
    with TemporaryDirectory(dir=arguments.folder) as name:
        folder = Path(name)
        with serving(folder, pages, arguments.limit) as site:
            # The first of all is slower, and does not count.
            crawl(_made(folder / "first"), site, None)
            for number in range(arguments.rounds):
                # Each is the first as often, because the machine may become warmer, or busier.
                order = [*kinds][number % len(kinds) :] + [*kinds][: number % len(kinds)]
                for kind in order:
                    own = _made(folder / f"{number}-{kind.replace(' ', '-')}")
                    made = crawl(own, site, kinds[kind])
                    found[kind].append(made)
                    said = f"{made.rate:.1f} pages/s, {made.cpu:.2f} ms of CPU a page"
                    sys.stderr.write(f"{kind}, round {number + 1}: {said}\n")
    _tell(found, report)
    return 0


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _tell(found: dict[str, list[Run]], report: Report) -> None:
    columns = {
        "crawl": "",
        "CPU ms per page": ".2f",
        "CPU, to none": "+.1%",
        "its range": ">",
        "pages/s": ".1f",
        "pages/s, to none": "+.1%",
        "range": ">",
        "CPU s at the start": ".1f",
    }
    report.table("live", columns, [_row(kind, runs, found[_OFF]) for kind, runs in found.items()])
    watched = [run for runs in found.values() for run in runs if run.received]
    rate = sum(run.received for run in watched) / sum(run.took for run in watched) / 1000
    report.say(f"the viewers received {rate:,.0f} kB/s")


def _row(kind: str, runs: Sequence[Run], without: Sequence[Run]) -> tuple[Cell, ...]:
    pairs = [*zip(runs, without, strict=True)]
    cpu = [run.cpu / none.cpu - 1 for run, none in pairs]
    rates = [run.rate / none.rate - 1 for run, none in pairs]
    return (
        kind,
        statistics.median(run.cpu for run in runs),
        statistics.median(cpu),
        _range(cpu),
        statistics.median(run.rate for run in runs),
        statistics.median(rates),
        _range(rates),
        statistics.median(run.started for run in runs),
    )


def _range(values: Sequence[float]) -> str:
    """The confidence interval of the median; of less than six values, all.

    >>> _range([0.01, 0.03, 0.02]), _range([n / 100 for n in range(9)])
    ('+1.0% to +3.0%', '+1.0% to +7.0%')
    """
    ordered, count = sorted(values), len(values)
    left_out = 0
    while 2 * _tail(left_out + 1, count) <= 1 - _CONFIDENCE:
        left_out += 1
    return f"{ordered[left_out]:+.1%} to {ordered[-1 - left_out]:+.1%}"


def _tail(most: int, count: int) -> float:
    """How probable it is that at most so many of the values are below the true median."""
    return sum(math.comb(count, number) for number in range(most + 1)) / math.ldexp(1.0, count)

"""A second crawl of a site that has not changed: every answer is 304, so that nothing is read."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from benchmarks.crawl.site import Site, serving
from benchmarks.fault_crawl import FaultCrawl, ended_cpu_seconds
from benchmarks.report import Cell, Report
from corpus_commons.cores import usable_cores
from corpus_commons.terminal.arguments import positive
from crawler.frontier import SqliteFrontier
from extraction.labelled import LabelledPage, read_pages
from pipelines.corpus.manifest import load_manifests

SUMMARY = "measure the second crawl of a site that has not changed, beside the first"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a .jsonl.zst of pages")
    parser.add_argument("--pages", type=positive, default=2_000, help="of the site (%(default)s)")


@dataclass(frozen=True, slots=True)
class RecrawlOfAll(FaultCrawl):
    """A crawl that visits all known pages again in every run, if two seconds lie between two.

    processes: of page workers.
    """

    processes: int = field(default_factory=usable_cores)

    def _job(self) -> str:
        return f"""
name = "again"
[seeds]
urls = ["{self.base}/"]
[scope]
include = ["^{self.base}/"]
[recrawl]
policy = "fixed"
interval = "1s"
least = {{ default = "1s", listing = "1s" }}
[limits]
processes = {self.processes}
[politeness]
delay = 0
concurrency_per_host = {self.visits_per_host}
[filters]
duplicates = "keep"
[frontier]
url = "{self.frontier}"
lease = "10s"
[outputs]
folder = "{self.output}"
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run took. seconds: from the first request to the last one. outcomes: of its visits."""

    requests: int
    cpu: float
    seconds: float
    documents: int
    outcomes: Mapping[str, int]

    @property
    def unread(self) -> int:
        return self.outcomes.get("not-modified", 0)


def run(arguments: argparse.Namespace, report: Report) -> int:
    pages = list(islice(read_pages(arguments.data), arguments.pages))
    with tempfile.TemporaryDirectory(prefix="recrawl-") as name:
        startup = measured(Path(name, "one"), pages[:1], 1)[0].cpu
        first, second = measured(Path(name, "all"), pages, arguments.pages)
    report.say(f"startup, {startup:.1f} s of CPU time, is taken off\n")
    columns = {
        "crawl": "",
        "requests": ",d",
        "not modified": ",d",
        "documents written": ",d",
        "CPU seconds": ".1f",
        "seconds": ".1f",
    }
    rows: list[tuple[Cell, ...]] = [
        (title, cost.requests, cost.unread, cost.documents, cost.cpu - startup, cost.seconds)
        for title, cost in (("first", first), ("second", second))
    ]
    (*_, cpu, seconds), (*_, less_cpu, less_seconds) = rows
    ratio = (float(cpu or 0) / float(less_cpu or 1), float(seconds or 0) / float(less_seconds or 1))
    report.table("crawls", columns, [*rows, ("first / second", None, None, None, *ratio)])
    return 0


def measured(folder: Path, pages: Sequence[LabelledPage], count: int) -> list[Cost]:
    """The costs of a first and a second crawl of a site with so many pages."""
    folder.mkdir()
    with serving(folder, pages, count) as site:
        crawl = RecrawlOfAll(folder / "job", site.base)
        costs: list[Cost] = []
        for _ in range(2):
            costs.append(_cost(crawl, site, costs))
            # Until the last page is due.
            time.sleep(2.1)
    return costs


def _cost(crawl: RecrawlOfAll, site: Site, earlier: Sequence[Cost]) -> Cost:
    site.forget()
    before = ended_cpu_seconds()
    done = crawl.finish()
    if done.process.returncode:
        raise SystemExit(f"exit code {done.process.returncode}: {done.errors[-2000:]}")
    times = [time for time, path in site.visits() if path != "/robots.txt"]
    outcomes = dict(asyncio.run(_outcomes(crawl.output)))
    for cost in earlier:
        outcomes = {name: n - cost.outcomes.get(name, 0) for name, n in outcomes.items()}
    written = (one.entries("documents") for one in load_manifests(crawl.corpus))
    documents = sum(entry.documents for entries in written for entry in entries)
    return Cost(
        len(times),
        ended_cpu_seconds() - before,
        max(times) - min(times),
        documents - sum(cost.documents for cost in earlier),
        outcomes,
    )


async def _outcomes(folder: Path) -> Mapping[str, int]:
    async with await SqliteFrontier.attach(folder) as frontier:
        return (await frontier.stats()).outcomes

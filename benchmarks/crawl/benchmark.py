"""Pages per second of a whole crawl: ours, and what a user would write instead.

Three programs take turns to crawl the same site on localhost: ours (``python -m crawler run``),
from the frontier to complete shards; a Scrapy spider that follows links and calls trafilatura with
metadata; and a bare one that only downloads. There are no politeness delays. Rates are measured
from the first request that the server gets to the end of the program; the startup before that is
shown separately.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.crawl import profile
from benchmarks.crawl.memory import MemoryWatch, Sample
from benchmarks.crawl.site import PAGES, Site, serving
from benchmarks.report import Cell, Report
from corpus_commons.terminal.arguments import positive
from extraction.labelled import read_pages

SUMMARY = "compare a crawl of real pages with Scrapy and trafilatura, and with bare Scrapy"

OURS, PEER, BARE = "ours", "Scrapy and trafilatura", "bare Scrapy"
JOB = """\
name = "benchmark"
[seeds]
urls = ["{base}/"]
[scope]
include = ['^{base}/']
[limits]
pages = "unlimited"
[politeness]
delay = 0
concurrency = {concurrency}
concurrency_per_host = {concurrency}
[rendering]
mode = "never"
[filters]
duplicates = "{duplicates}"
[outputs]
folder = "{folder}"
"""
# The share of the pages before the slope of memory is measured.
_WARM_UP = 0.2


@dataclass(frozen=True, slots=True)
class Run:
    """pages: that were requested. start, took: seconds before the first request, and after it.

    processor: CPU seconds, of all processes. memory: samples over time, of all processes.
    """

    pages: int
    start: float
    took: float
    processor: float
    memory: list[Sample]

    @property
    def rate(self) -> float:
        return self.pages / self.took

    @property
    def most_memory(self) -> int:
        return max((sample.bytes for sample in self.memory), default=0)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a .jsonl.zst of pages")
    parser.add_argument(
        "--limit",
        type=positive,
        default=2000,
        help="pages of the site; if the data has fewer, they are repeated under other URLs "
        "(default: %(default)s)",
    )
    parser.add_argument("--rounds", type=positive, default=3, help="(default: %(default)s)")
    parser.add_argument("--only", nargs="+", choices=(OURS, PEER, BARE), metavar="NAME")
    parser.add_argument("--concurrency", type=positive, default=16, help="(default: %(default)s)")
    parser.add_argument(
        "--duplicates",
        choices=("drop", "keep"),
        default="keep",
        help="what ours does with repeated pages: extract them again, as the peer does, or "
        "reject them (default: %(default)s)",
    )
    parser.add_argument("--folder", type=Path, help="for all files (default: a temporary one)")
    parser.add_argument(
        "--profile", action="store_true", help="only run our crawl, and profile its CPU time"
    )
    parser.add_argument(
        "--memory", action="store_true", help="only run our crawl, and measure how memory grows"
    )
    parser.add_argument(
        "--pages-total", type=positive, default=20_000, help="with --memory (default: %(default)s)"
    )


def run(arguments: argparse.Namespace, report: Report) -> int:
    pages = list(read_pages(arguments.data))
    count = arguments.pages_total if arguments.memory else arguments.limit
    with TemporaryDirectory(dir=arguments.folder) as name:
        folder = Path(name)
        with serving(folder, pages[:count], count) as site:
            size = statistics.median(len(page.html) for page in pages[:count])
            report.say(
                f"{count:,} URLs of {min(count, len(pages)):,} pages, median {size / 1000:.0f} kB, "
                f"served by {site.server}; {arguments.concurrency} concurrent requests\n"
            )
            measure = _profile if arguments.profile else _memory if arguments.memory else _beside
            measure(folder, site, arguments, report)
    return 0


def _beside(folder: Path, site: Site, arguments: argparse.Namespace, report: Report) -> None:
    crawlers: dict[str, Callable[[Path], list[str]]] = {
        OURS: lambda own: _ours(own, site, arguments),
        PEER: lambda own: _spider("trafilatura", own, site, arguments.concurrency),
        BARE: lambda own: _spider("bare", own, site, arguments.concurrency),
    }
    runs: dict[str, list[Run]] = {name: [] for name in arguments.only or crawlers}
    for number in range(arguments.rounds):
        for name, found in runs.items():
            own = folder / f"{name}-{number}"
            own.mkdir()
            found.append(measured(crawlers[name](own), site))
            sys.stderr.write(f"{name}, round {number + 1}: {found[-1].rate:.1f} pages/s\n")
    columns = {
        "crawler": "",
        "pages/s: best": ".1f",
        "all rounds": ">",
        "startup, s": ".1f",
        "pages/s with startup": ".1f",
        "CPU ms per page": ".1f",
        "peak MB": ",.0f",
    }
    report.table("speed", columns, [_row(name, found) for name, found in runs.items()])
    best = {name: max(one.rate for one in found) for name, found in runs.items()}
    for other, asked in ((PEER, 6.0), (BARE, 0.25)):
        if {OURS, other} <= best.keys():
            ratio = best[OURS] / best[other]
            report.say(f"ours / {other}: {ratio:.2f} (target: {asked:g})")


def _row(name: str, runs: Sequence[Run]) -> tuple[Cell, ...]:
    best = max(runs, key=lambda one: one.rate)
    return (
        name,
        best.rate,
        ", ".join(f"{one.rate:.1f}" for one in runs),
        best.start,
        best.pages / (best.start + best.took),
        best.processor / best.pages * 1000,
        max(one.most_memory for one in runs) / 1e6,
    )


def _profile(folder: Path, site: Site, arguments: argparse.Namespace, report: Report) -> None:
    """CPU time of our crawl by process role and step."""
    command = _ours(folder, site, arguments)
    command[command.index("crawler")] = "benchmarks.crawl.profile"
    found = measured(command, site, {profile.FOLDER: str(folder)})
    spent: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for file in folder.glob("*-*.json"):
        spent[file.name.partition("-")[0]].update(json.loads(file.read_text()))
    rows = []
    for role, steps in sorted(spent.items()):
        running = Counter({step: s for step, s in steps.items() if step != profile.START})
        total = running.total()
        for step, seconds in ((f"**{role}**", total), *running.most_common()):
            rows.append((step, seconds / found.pages * 1000, seconds / total))
    report.say(f"{found.rate:.1f} pages/s with the sampler\n")
    columns = {"step": "", "CPU ms per page": ".2f", "share of its process": ".1%"}
    report.table("profile", columns, rows)


def _memory(folder: Path, site: Site, arguments: argparse.Namespace, report: Report) -> None:
    """How the memory of our crawl grows with the pages, by least squares."""
    found = measured(_ours(folder, site, arguments), site)
    times = [time for time, path in site.visits() if path.startswith(f"/{PAGES}/")]
    points = []
    done = 0
    for sample in found.memory:
        while done < len(times) and times[done] <= sample.time:
            done += 1
        if len(times) * _WARM_UP <= done < len(times):
            points.append((done / 1000, sample.bytes / 1e6))
    if len(points) < 2:
        raise SystemExit("the crawl is too short to measure a slope; increase --pages-total")
    fit = statistics.linear_regression(*zip(*points, strict=True))
    shown = points[:: max(1, len(points) // 10)]
    rows = [(thousands * 1000, megabytes) for thousands, megabytes in shown]
    report.table("memory", {"pages": ",.0f", "MB, all processes": ",.0f"}, rows)
    report.say(
        f"{found.rate:.1f} pages/s; slope after {_WARM_UP:.0%} of the pages: "
        f"{fit.slope:+.2f} MB per 1,000 pages; peak {found.most_memory / 1e6:,.0f} MB"
    )


def _ours(own: Path, site: Site, arguments: argparse.Namespace) -> list[str]:
    job = own / "job.toml"
    text = JOB.format(
        base=site.base,
        concurrency=arguments.concurrency,
        duplicates=arguments.duplicates,
        folder=own / "out",
    )
    job.write_text(text, encoding="utf-8")
    return [sys.executable, "-m", "crawler", "run", str(job)]


def _spider(name: str, own: Path, site: Site, concurrency: int) -> list[str]:
    urls = own / "urls.txt"
    urls.write_text("\n".join(site.urls))
    task = {
        "spider": name,
        "base": site.base,
        "urls": str(urls),
        "feed": str(own / "feed.jsonl"),
        "concurrency": concurrency,
    }
    return [sys.executable, "-m", "benchmarks.crawl.spiders", json.dumps(task)]


def measured(command: list[str], site: Site, environment: dict[str, str] | None = None) -> Run:
    """Run a crawler to its end. Raises SystemExit if it fails or misses pages."""
    site.forget()
    began = time.time()
    process = subprocess.Popen(  # noqa: S603
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, **(environment or {})},
    )
    watch = MemoryWatch(process.pid)
    assert process.stderr is not None  # noqa: S101 - it was asked for
    try:
        said = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        ended = time.time()
    except BaseException:
        process.kill()
        raise
    finally:
        memory = watch.end()
    code = process.returncode = os.waitstatus_to_exitcode(status)
    visits = site.visits()
    seen = {path for _, path in visits if path.startswith(f"/{PAGES}/")}
    if code or len(seen) < len(site.urls):
        sys.stderr.write(said.decode(errors="replace")[-5000:])
        raise SystemExit(
            f"{command[2]}: exit code {code}, {len(seen):,} of {len(site.urls):,} pages requested"
        )
    first = visits[0][0]
    processor = usage.ru_utime + usage.ru_stime
    return Run(len(seen), first - began, ended - first, processor, memory)

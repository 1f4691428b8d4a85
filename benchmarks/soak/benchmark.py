"""Crawls a large site of small pages, and samples what the program holds on to."""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.fault_crawl import Run
from benchmarks.report import Report
from benchmarks.soak.samples import Sample, Trend, write
from benchmarks.soak.site import SoakSite, serving
from corpus_commons.terminal.arguments import positive
from crawler.exit_codes import ExitCode

SUMMARY: Final = "crawl 200,000 small pages; fit whether memory, files and threads grow"
_CLOSING: Final = 120.0
# Field of a sample, heading, and whether it is a number of things.
_TRENDS: Final = (
    ("main", "memory of the crawler, MB", False),
    ("others", "memory of its page workers, MB", False),
    ("files", "open files, sockets and pipes", True),
    ("threads", "threads", True),
    ("processes", "processes", True),
)


@dataclass(frozen=True, slots=True)
class Soak:
    """The options; see ``add_arguments``."""

    pages: int
    hosts: int
    period: float
    seconds: float | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pages", type=positive, default=200_000, help="of the site (%(default)s)")
    parser.add_argument("--hosts", type=positive, default=20, help="of the site (%(default)s)")
    parser.add_argument(
        "--period", type=float, default=5.0, help="seconds between two samples (%(default)s)"
    )
    parser.add_argument(
        "--seconds", type=float, help="end the crawl in order after so long; unlimited by default"
    )
    parser.add_argument("--samples", type=Path, metavar="FILE", help="also write them, as CSV")


def run(arguments: argparse.Namespace, report: Report) -> int:
    """0 if nothing grows, 1 otherwise."""
    # Ended as by Ctrl-C, so that no crawl is left behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    soak = Soak(arguments.pages, arguments.hosts, arguments.period, arguments.seconds)
    with (
        tempfile.TemporaryDirectory(prefix="soak-") as folder,
        serving(soak.pages, soak.hosts) as site,
    ):
        samples, code = _soaked(Path(folder), site, soak)
    if arguments.samples:
        write(arguments.samples, samples)
    if code not in (ExitCode.FINISHED, ExitCode.STOPPED):
        report.say(f"the crawl ended with exit code {code}")
        return 1
    if len(samples) < 10:
        report.say(f"{len(samples)} samples are too few to tell")
        return 1
    return _tabulate(samples, report)


def _soaked(folder: Path, site: SoakSite, soak: Soak) -> tuple[list[Sample], int]:
    """Crawl the site, or as much of it as there is time for; the samples, and the exit code."""
    out = folder / "out"
    crawl = Run(_job(folder, out, site, soak.pages), folder / "errors.txt")
    samples: list[Sample] = []
    began = time.monotonic()
    try:
        while crawl.sleep(soak.period):
            passed = time.monotonic() - began
            # Until the first page is sent, the program is still being loaded.
            if asked := site.asked.value:
                samples.append(Sample.of(crawl.process.pid, asked, passed, out))
            if len(samples) % 60 == 1:
                sys.stderr.write(f"{samples[-1]}\n")
            if soak.seconds is not None and passed > soak.seconds:
                crawl.send(signal.SIGTERM)
                crawl.wait(_CLOSING)
    finally:
        if not crawl.is_over:
            crawl.end()
    if crawl.process.returncode:
        sys.stderr.write(crawl.errors[-3000:])
    # When all pages were sent, the program begins to end.
    return [one for one in samples if one.pages < site.asked.value], crawl.process.returncode


def _job(folder: Path, out: Path, site: SoakSite, pages: int) -> Path:
    seeds = ", ".join(f'"{home}"' for home in site.homes)
    job = folder / "job.toml"
    job.write_text(f"""
name = "soak"
[seeds]
urls = [{seeds}]
[scope]
stay_on = "host"
[politeness]
delay = 0
concurrency_per_host = 2
[limits]
pages = {2 * pages}
[filters]
min_words = 20
duplicates = "keep"
[outputs]
folder = "{out}"
""")
    return job


def _tabulate(samples: list[Sample], report: Report) -> int:
    last = samples[-1]
    rate = last.pages / last.seconds
    report.say(f"{last.pages:,} pages in {last.seconds:,.0f} s, {rate:.1f} pages/s")
    report.say(f"{len(samples):,} samples; {last.disk:,.0f} MB on disk\n")
    rows, is_flat = [], True
    for name, heading, is_counted in _TRENDS:
        trend = Trend.of(samples, name, is_counted=is_counted)
        verdict = "flat" if trend.is_flat else "grows"
        rows.append((heading, trend.first, trend.last, trend.growth, verdict))
        is_flat &= trend.is_flat
    columns = {"": "", "at first": ",.1f", "at last": ",.1f", "growth in 100,000 pages": "+,.2f"}
    report.table("soak", {**columns, "verdict": ">"}, rows)
    return 0 if is_flat else 1

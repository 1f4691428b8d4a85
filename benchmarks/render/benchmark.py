"""Rendered pages per second: our whole crawl, and a plain scrapy-playwright spider.

Ours fetches, renders, takes the screenshot, classifies, extracts and writes the corpus; the peer
renders and takes the screenshot. They are separate processes that take turns. The peer has the
default settings of Scrapy and scrapy-playwright, and the browser of ``--peer-browser``; a user
would install Debian's full ``chromium``. It is measured with screenshots of the same size as ours,
and of full size.

``--memory`` measures instead the memory of our crawl's browser by the number of rendered pages,
with browsers that are replaced after some pages, and with one that never is.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import time
from dataclasses import dataclass

from playwright.sync_api import sync_playwright

from benchmarks.render import memory
from benchmarks.render.pages import served_pages
from benchmarks.render.programs import CRAWL, Setup, started
from benchmarks.render.spiders import HEIGHT, SPIDERS
from benchmarks.report import Report
from corpus_commons.process_tree import cpu_seconds, descendants

SUMMARY = "compare rendering with a plain scrapy-playwright spider"

_LOOK_EVERY = 5
_NO_PEER = (
    "only ours is measured, because there is no browser for the peer: install Debian's chromium "
    "(apt-get install chromium) or Playwright's (playwright install chromium), or give "
    "--peer-browser PATH\n"
)
_OURS = "ours"
_PEER = "scrapy-playwright, a quarter of the size"


@dataclass(frozen=True)
class Round:
    """rate: pages/s after the first page, which excludes startup. screenshot: mean size in bytes.

    pages: that were finished; for our crawl including the canonical URLs that pages name.
    cpu: CPU seconds per page, of all processes, on which other load has less influence.
    """

    pages: int
    rate: float
    screenshot: float
    cpu: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--pages", type=_several, default=100, help="pages per round (default: %(default)s)"
    )
    parser.add_argument("--rounds", type=int, default=3, help="(default: %(default)s)")
    parser.add_argument(
        "--concurrency",
        type=int,
        default=4,
        help="pages that our crawl renders concurrently (default: %(default)s)",
    )
    parser.add_argument(
        "--peer-browser",
        default=shutil.which("chromium"),
        metavar="PATH",
        help="the peer's browser (default: %(default)s, or else Playwright's own)",
    )
    parser.add_argument(
        "--peer-concurrency",
        type=int,
        metavar="N",
        help="pages that the peer renders concurrently (default: as set by Scrapy's defaults)",
    )
    parser.add_argument("--only", nargs="+", choices=(CRAWL, *SPIDERS), metavar="NAME")
    memory.add_arguments(parser)


def run(arguments: argparse.Namespace, report: Report) -> int:
    if arguments.memory:
        return memory.run(arguments, report)
    names = arguments.only or (CRAWL, *SPIDERS)
    if not _is_there(arguments.peer_browser):
        report.say(_NO_PEER)
        names = [name for name in names if name.startswith(_OURS)]
    measured: dict[str, list[Round]] = {name: [] for name in names}
    with served_pages(arguments.pages) as urls:
        setup = Setup(
            urls,
            rendering={"concurrency": arguments.concurrency},
            browser=arguments.peer_browser,
            peer_settings=_peer_settings(arguments.peer_concurrency),
        )
        for _ in range(arguments.rounds):
            for name, rounds in measured.items():
                rounds.append(_round(name, setup))
                sys.stderr.write(f"{name}: {rounds[-1].rate:.2f} pages/s, {rounds[-1].cpu:.3f} s\n")
    report.say(
        f"ours {arguments.concurrency} pages concurrently, top {HEIGHT:,} px, "
        f"best of {arguments.rounds} rounds\n"
    )
    _tabulate(measured, report)
    return 0


def _is_there(browser: str | None) -> bool:
    """Whether the peer has a browser: the one that is given, or else Playwright's own."""
    with sync_playwright() as playwright:
        return bool(shutil.which(browser or playwright.chromium.executable_path))


def _tabulate(measured: dict[str, list[Round]], report: Report) -> None:
    best = {name: max(found.rate for found in rounds) for name, rounds in measured.items()}
    peer = best.get(_PEER)
    columns = {
        "spider": "",
        "pages": "d",
        **dict.fromkeys(("pages/s", "median", "times the peer"), ".2f"),
        "CPU s per page": ".3f",
        "kB per screenshot": ".0f",
    }
    rows = [
        (
            *(name, rounds[0].pages, best[name]),
            statistics.median(found.rate for found in rounds),
            best[name] / peer if peer else None,
            min(found.cpu for found in rounds),
            statistics.fmean(found.screenshot for found in rounds) / 1000,
        )
        for name, rounds in measured.items()
    ]
    report.table("speed", columns, rows)


def _round(name: str, setup: Setup) -> Round:
    times: list[float] = []
    sizes: list[int] = []
    used: list[tuple[int, float]] = []
    with started(name, setup) as process:
        for line in process.stdout or ():
            if line.startswith("{"):
                sizes.append(json.loads(line)["screenshot"])
                times.append(time.perf_counter())
                if len(times) % _LOOK_EVERY == 1:
                    used.append((len(times), cpu_seconds(descendants(process.pid))))
    if len(times) < len(setup.urls):
        raise SystemExit(
            f"{name} ended after {len(times)} of {len(setup.urls)} pages; "
            f"the peer's browser is {setup.browser or 'Playwright’s'}"
        )
    (first, before), (last, after) = used[0], used[-1]
    return Round(
        pages=len(times),
        rate=(len(times) - 1) / (times[-1] - times[0]),
        screenshot=statistics.fmean(sizes),
        cpu=(after - before) / (last - first),
    )


def _several(text: str) -> int:
    if (pages := int(text)) <= _LOOK_EVERY:
        raise argparse.ArgumentTypeError(f"{text}: must be more than {_LOOK_EVERY}")
    return pages


def _peer_settings(concurrency: int | None) -> dict[str, int]:
    if concurrency is None:
        return {}
    return {"CONCURRENT_REQUESTS": concurrency, "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency}

"""Rendered pages per second: our whole crawl beside a plain scrapy-playwright spider, in one run.

Ours fetches, draws, takes the screenshot, names the genre, extracts and writes the corpus; the
peer draws and takes the screenshot. Each is a process of its own, and they take turns. The peer has
the default settings of Scrapy and scrapy-playwright, and the browser of ``--peer-browser``, for
which Debian's full ``chromium`` is what a user would install. It is measured with screenshots of
the size that ours have, and of full size.

``--memory`` shows instead what the browser of our crawl takes, by the number of pages drawn, with
browsers that are used up and with one that never is.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import time
from dataclasses import dataclass

from benchmarks.markdown import table
from benchmarks.process_tree import cpu_seconds, descendants
from benchmarks.render import memory
from benchmarks.render.pages import served_pages
from benchmarks.render.programs import CRAWL, Setup, started
from benchmarks.render.spiders import HEIGHT, SPIDERS

SUMMARY = "compare rendering with a plain scrapy-playwright spider"

_LOOK_EVERY = 5
_PEER = "scrapy-playwright, a quarter of the size"


@dataclass(frozen=True)
class Round:
    """rate: pages/s after the first page, so that no start is timed. screenshot: bytes, on average.

    pages: that came out; those of our crawl include the canonical URLs that pages name.
    cpu: seconds a page, of all processes, which other work on the machine changes less.
    """

    pages: int
    rate: float
    screenshot: float
    cpu: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--pages", type=_several, default=100, help="pages in a round, by default %(default)s"
    )
    parser.add_argument("--rounds", type=int, default=3, help="by default %(default)s")
    parser.add_argument(
        "--concurrency",
        type=int,
        default=4,
        help="pages that ours renders at once, by default %(default)s",
    )
    parser.add_argument(
        "--peer-browser",
        default=shutil.which("chromium"),
        metavar="PATH",
        help="the peer's browser; by default %(default)s, or else Playwright's own",
    )
    parser.add_argument(
        "--peer-concurrency",
        type=int,
        metavar="N",
        help="pages that the peer renders at once; by default what Scrapy's settings allow",
    )
    parser.add_argument("--only", nargs="+", choices=(CRAWL, *SPIDERS), metavar="NAME")
    memory.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.memory:
        return memory.run(arguments)
    names = arguments.only or (CRAWL, *SPIDERS)
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
    sys.stdout.write(f"ours {arguments.concurrency} pages at once, top {HEIGHT:,} px, ")
    sys.stdout.write(f"best of {arguments.rounds} rounds\n\n{_table(measured)}\n")
    return 0


def _table(measured: dict[str, list[Round]]) -> str:
    best = {name: max(found.rate for found in rounds) for name, rounds in measured.items()}
    peer = best.get(_PEER)
    columns = (
        *("spider", "pages", "pages/s", "median", "beside the peer"),
        *("CPU s a page", "kB a screenshot"),
    )
    rows = [
        (
            *(name, str(rounds[0].pages), f"{best[name]:.2f}"),
            f"{statistics.median(found.rate for found in rounds):.2f}",
            f"{best[name] / peer:.2f}" if peer else "",
            f"{min(found.cpu for found in rounds):.3f}",
            f"{statistics.fmean(found.screenshot for found in rounds) / 1000:.0f}",
        )
        for name, rounds in measured.items()
    ]
    return table(columns, rows)


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
            f"the peer's browser is {setup.browser or 'that of Playwright'}"
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
        raise argparse.ArgumentTypeError(f"{text} must be more than {_LOOK_EVERY}")
    return pages


def _peer_settings(concurrency: int | None) -> dict[str, int]:
    if concurrency is None:
        return {}
    return {"CONCURRENT_REQUESTS": concurrency, "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency}

"""The memory of a crawl's browser as pages are rendered, with and without replacing it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace

from benchmarks.render.pages import served_pages
from benchmarks.render.programs import CRAWL, Setup, started
from benchmarks.report import Report
from corpus_commons.process_tree import command, descendants, memory

_NEVER = {"pages_per_context": 100_000, "pages_per_browser": 1_000_000}
_SAMPLES = 20


@dataclass(frozen=True)
class Sample:
    """MB (PSS) of all browser processes, of Playwright's driver, and of the crawler with its
    workers, after this number of pages.
    """

    pages: int
    browser: float
    driver: float
    crawler: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--memory", action="store_true", help="measure memory instead of speed")
    parser.add_argument(
        "--pages-total", type=int, default=2000, help="with --memory (default: %(default)s)"
    )


def run(arguments: argparse.Namespace, report: Report) -> int:
    columns = dict.fromkeys(("pages", "browser MB", "driver MB", "crawler MB"), ",.0f")
    concurrency = {"concurrency": arguments.concurrency}
    with served_pages(arguments.pages_total) as urls:
        for title, rendering in (
            ("with the default pages_per_context and pages_per_browser", concurrency),
            ("with one context and one browser for all", concurrency | _NEVER),
        ):
            report.say(f"{title}, {arguments.concurrency} pages concurrently\n")
            setup = Setup(urls, rendering, browser=None, peer_settings={})
            report.table(title, columns, map(astuple, _samples(setup)))
    return 0


def _samples(setup: Setup) -> Iterator[Sample]:
    """Samples of a crawl at regular intervals; each is the maximum of ten."""
    every = max(1, len(setup.urls) // _SAMPLES)
    between: list[Sample] = []
    pages = 0
    with started(CRAWL, setup) as process:
        for line in process.stdout or ():
            if not line.startswith("{"):
                continue
            pages += 1
            if pages % max(1, every // 10) == 0:
                between.append(_sample(process.pid, pages))
            if pages % every == 0 and between:
                yield replace(max(between, key=lambda one: one.browser), pages=pages)
                between.clear()
    if pages < len(setup.urls):
        raise SystemExit(f"{CRAWL} ended after {pages} of {len(setup.urls)} pages")


def _sample(crawler: int, pages: int) -> Sample:
    """The driver is Playwright's own process, and the browsers are its descendants."""
    tree = descendants(crawler)
    driver = [process for process in tree if "run-driver" in command(process)]
    browsers = set().union(*map(descendants, driver)) - set(driver)
    rest = set(tree) - browsers - set(driver)
    return Sample(pages, memory(browsers) / 1e6, memory(driver) / 1e6, memory(rest) / 1e6)

"""Real sites of several pages, crawled with kills: has every text what its site tells of it?"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from benchmarks.report import Report
from benchmarks.site_memory.comparison import compared
from benchmarks.site_memory.sites import crawl_of, ended, serving, strike, urls_of
from corpus_commons.terminal.arguments import positive
from crawler.urls import host_key
from extraction.labelled import LabelledPage, read_pages
from extraction.site_memory import CAPACITY

SUMMARY = "crawl real sites with kills; compare each text with that of its site's memory offline"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a .jsonl.zst of pages")
    parser.add_argument("--pages", type=positive, default=300, help="at least (%(default)s)")
    parser.add_argument("--kills", type=positive, default=10, help="(%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the random times (%(default)s)")


def run(arguments: argparse.Namespace, report: Report) -> int:
    """0 if all texts are equal and no page is lost, 1 otherwise."""
    sites = largest_sites(read_pages(arguments.data), arguments.pages)
    html = [[page.html for page in pages] for pages in sites]
    rows, is_whole = [], True
    with tempfile.TemporaryDirectory(prefix="sites-") as name, serving(html) as served:
        pages = urls_of(served, html)
        for kills in (0, arguments.kills):
            crawl = crawl_of(Path(name, str(kills)), served)
            for site in served:
                site.forget()
            struck = strike(crawl, served, random.Random(arguments.seed), kills)
            if problem := ended(crawl.start()):
                raise SystemExit(problem)
            found = compared(crawl, pages)
            full = sum(number == CAPACITY for number in found.known.values())
            outcome = (found.equal, len(found.different), len(found.lost), found.repeats)
            rows.append((struck, len(sites), full, len(pages), *outcome, found.changed))
            is_whole &= not (found.different or found.lost or found.held)
            sys.stderr.write(f"{found}\n")
    columns = (
        *("kills", "sites", "of them with a full memory", "pages", "texts equal", "different"),
        *("lost", "repeats, merged", "texts that the site changed"),
    )
    report.table("sites", dict.fromkeys(columns, "d"), rows)
    return 0 if is_whole else 1


def largest_sites(pages: Iterable[LabelledPage], most: int) -> list[list[LabelledPage]]:
    """The sites with the most pages, until these are at least ``most``."""
    sites: defaultdict[str, list[LabelledPage]] = defaultdict(list)
    for page in pages:
        if name := _site_of(page):
            sites[name].append(page)
    chosen: list[list[LabelledPage]] = []
    for of_site in sorted(sites.values(), key=len, reverse=True):
        if sum(map(len, chosen)) >= most:
            break
        chosen.append(of_site)
    return chosen


def _site_of(page: LabelledPage) -> str:
    """The host of the page's URL, or what an id such as DAY_HOST_HASH names; "" if unknown."""
    if page.url:
        return host_key(page.url)
    _, _, rest = page.id.partition("_")
    return rest.rpartition("_")[0]

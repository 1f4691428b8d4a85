"""Which pages are rendered, and what that keeps: always, never, our rule and crawlee's.

Every rule crawls the same web in the real crawler, one after the other: fetching, rendering where
the rule says so, genre, extraction, corpus. The *mixed* web is made of sites in two dozen
techniques, with packages out of the npm registry and texts of ``--data``, and of pages of
``--data`` as they are; a fifth of its pages need scripts. The *server-rendered* web is those pages
alone.

F1 is that of the words of a page's text and of always-rendering's, averaged over the pages that
have any text in one of them. Genres are compared with always-rendering's and, where it is known,
with the truth; texts with the gold texts, too.

Our rule was tuned on ``--part train``, whose sites and texts are others than those of ``test``.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from benchmarks.adaptive.crawl import ADAPTIVE, ALWAYS, CRAWLEE, NEVER, RULES, Found, Result, crawl
from benchmarks.adaptive.packages import scripts
from benchmarks.adaptive.server import serving
from benchmarks.adaptive.web import Web, mixed_web, of_part, served_web
from benchmarks.report import Cell, Report
from corpus_commons.terminal.arguments import positive, whole
from crawler.adaptive.gain import gain
from evaluation.metrics.words import words
from extraction.labelled import read_pages

SUMMARY = "compare rules of when to render, on sites of which both forms are known"

_NO_CRAWLEE = "left out: crawlee (pip install 'crawlee[adaptive-crawler]==1.11.*')\n"

_Key = tuple[str, str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a .jsonl.zst of labelled pages")
    parser.add_argument(
        "--packages",
        type=Path,
        default=Path.home() / ".cache" / "genre-crawler" / "npm",
        help="where packages of the npm registry are kept (default: %(default)s)",
    )
    parser.add_argument(
        "--sites", type=positive, default=62, help="made sites (default: %(default)s)"
    )
    parser.add_argument(
        "--served", type=positive, default=240, help="server-rendered pages (default: %(default)s)"
    )
    parser.add_argument("--part", choices=("train", "test"), default="test")
    parser.add_argument("--only", nargs="+", choices=RULES, metavar="RULE", help=", ".join(RULES))
    parser.add_argument(
        "--scroll",
        type=whole,
        default=0,
        help="rendering.scroll; with it, some of the mixed sites go on when their end is seen "
        "(default: %(default)s)",
    )
    parser.add_argument("--web", nargs="+", choices=("mixed", "server-rendered"))
    parser.add_argument(
        "--kinds", action="store_true", help="also list what rendering brings to each kind of page"
    )


def run(arguments: argparse.Namespace, report: Report) -> int:
    rules = [rule for rule in RULES if rule in (arguments.only or RULES)]
    if CRAWLEE in rules and find_spec("crawlee") is None:
        report.say(_NO_CRAWLEE)
        rules.remove(CRAWLEE)
    pages = of_part(list(read_pages(arguments.data)), arguments.part)
    for name in arguments.web or ("mixed", "server-rendered"):
        if name == "mixed":
            web = mixed_web(
                pages,
                scripts(arguments.packages),
                arguments.part,
                arguments.sites,
                scrolled=arguments.scroll > 0,
            )
        else:
            web = served_web(pages, arguments.served)
        _compare(name, web, rules, report, arguments)
    return 0


def _compare(
    name: str, web: Web, rules: Iterable[str], report: Report, arguments: argparse.Namespace
) -> None:
    needing = sum(truth.scripted for truth in web.truths.values())
    report.say(f"{name}: {len(web.truths):,} pages, {needing:,} of which need scripts\n")
    results = dict(_results(web, rules, arguments.scroll))
    columns = {
        "rule": "",
        "rendered": ".1%",
        "F1": ".3f",
        "F1, pages that need scripts": ".3f",
        "F1 to the gold text": ".3f",
        "same genre": ".1%",
        "right genre": ".1%",
        "pages/s": ".2f",
        "of always": ".2f",
        "CPU s a page": ".3f",
    }
    report.table(name, columns, (_row(rule, web, results) for rule in results))
    if ADAPTIVE in results:
        _by_site(name, web, results, report)
        if arguments.kinds and {ALWAYS, NEVER} <= results.keys():
            _by_kind(name, results, report)


def _results(web: Web, rules: Iterable[str], scroll: int) -> Iterator[tuple[str, Result]]:
    with tempfile.TemporaryDirectory() as folder, serving(web.answers) as server:
        for number, rule in enumerate(rules):
            place = Path(folder) / str(number)
            found = crawl(rule, web.truths, server.port, place, scroll=scroll)
            sys.stderr.write(f"{rule}: {found.rate:.2f} pages/s\n")
            yield rule, found


def _row(rule: str, web: Web, results: Mapping[str, Result]) -> tuple[Cell, ...]:
    result, always = results[rule], results.get(ALWAYS)
    rendered = statistics.fmean(one.rendered for one in result.pages.values())
    judged = [
        (truth, result.pages[key]) for key, truth in web.truths.items() if key in result.pages
    ]
    right = [found.genre == truth.genre for truth, found in judged if truth.genre]
    same = None
    if always is not None:
        pairs = [(result.pages[key], always.pages[key]) for key in _both(result, always)]
        same = statistics.fmean(one.genre == other.genre for one, other in pairs)
    scripted = {key for key, truth in web.truths.items() if truth.scripted}
    return (
        rule,
        rendered,
        _f1(result, always),
        _f1(result, always, scripted) if scripted else None,
        statistics.fmean(words(found.text, truth.text).f1 for truth, found in judged if truth.text),
        same,
        statistics.fmean(right),
        result.rate,
        result.rate / always.rate if always else None,
        result.cpu,
    )


def _f1(result: Result, always: Result | None, keys: Iterable[_Key] | None = None) -> float | None:
    if always is None:
        return None
    scores = []
    for key in always.pages if keys is None else keys:
        text = always.pages[key].text if key in always.pages else ""
        own = result.pages.get(key, Found()).text
        if text or own:
            scores.append(words(own, text).f1)
    return statistics.fmean(scores) if scores else None


def _both(one: Result, other: Result) -> list[_Key]:
    return [key for key in one.pages if key in other.pages]


def _by_site(name: str, web: Web, results: Mapping[str, Result], report: Report) -> None:
    """What our rule did with each technique."""
    by_site: defaultdict[tuple[bool, str], list[_Key]] = defaultdict(list)
    for key, truth in web.truths.items():
        by_site[not truth.scripted, truth.site].append(key)
    always, ours = results.get(ALWAYS), results[ADAPTIVE]
    rows = [
        (
            site,
            "no" if complete else "yes",
            len(keys),
            statistics.fmean(ours.pages[key].rendered for key in keys if key in ours.pages),
            _f1(ours, always, keys),
        )
        for (complete, site), keys in sorted(by_site.items())
    ]
    columns = {"site": "", "needs scripts": "", "pages": "d", "rendered": ".1%", "F1": ".3f"}
    report.table(f"{name}-sites", columns, rows)


def _by_kind(name: str, results: Mapping[str, Result], report: Report) -> None:
    """What rendering brings to pages of each kind, and how many of them our rule rendered."""
    always, never, ours = (results[rule].pages for rule in (ALWAYS, NEVER, ADAPTIVE))
    by_kind: defaultdict[str, list[_Key]] = defaultdict(list)
    for key, found in ours.items():
        if key in always and key in never:
            by_kind[found.reason.partition(",")[0]].append(key)
    rows = [
        (
            kind,
            len(keys),
            statistics.fmean(gain(never[key].text, always[key].text) for key in keys),
            statistics.fmean(ours[key].rendered for key in keys),
        )
        for kind, keys in sorted(by_kind.items())
    ]
    columns = {"kind": "", "pages": "d", "mean gain": ".3f", "rendered": ".1%"}
    report.table(f"{name}-kinds", columns, rows)

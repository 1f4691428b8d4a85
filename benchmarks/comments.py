"""How well readers' comments are distinguished from the article.

A page's gold comments are in ``meta.comments``, as in dragnet. Also shown is the word F1 of the
main content: as the method keeps it, and without the blocks of comment sections.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from benchmarks import sample
from benchmarks.report import Cell, Report
from corpus_commons.compared_words import tokens
from corpus_commons.terminal.arguments import check_names
from corpus_commons.terminal.commands import UsageError
from evaluation.metrics.words import words
from extraction import Output, extractor, names, parse
from extraction.labelled import LabelledPage
from extraction.methods.base import DomExtractor

SUMMARY = "measure precision and recall of comments, and how removing them changes the main content"

_APART = Output(comments="separate")


class Judged(NamedTuple):
    """A page. f1: of the method's own text; without: of the text without comments.

    found, gold, common: the number of words in the comments found, in the gold ones, and in both.
    """

    f1: float
    without: float
    found: int
    gold: int
    common: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    sample.add_arguments(parser)
    parser.add_argument("--method", default="default", help="one of our own extraction methods")


def run(arguments: argparse.Namespace, report: Report) -> int:
    check_names("extraction method", [arguments.method], ("default", *names()))
    method = extractor(arguments.method)
    if not isinstance(method, DomExtractor):
        raise UsageError(f"--method: {method.name} is a library, which gives text without blocks")
    groups: dict[str, list[Judged]] = defaultdict(list)
    for page in sample.shown(sample.sample(arguments)):
        groups[_group(page)].append(_judged(method, page))
    columns = {
        f"{arguments.data.name}, {method.name}": "",
        "pages": "d",
        "with comments found": "d",
        "F1": ".3f",
        "F1 without comments": ".3f",
        "words of comments per page": ".0f",
        "precision": ".3f",
        "recall": ".3f",
    }
    report.table("comments", columns, (_row(name, of) for name, of in sorted(groups.items())))
    return 0


def _group(page: LabelledPage) -> str:
    return page.genre or ("with gold comments" if page.meta.get("comments") else "without any")


def _judged(method: DomExtractor, page: LabelledPage) -> Judged:
    dom = parse(page.html)
    apart = method.extract(dom, url=page.url, output=_APART)
    found = Counter(tokens(apart.comments))
    gold = Counter(tokens(page.meta.get("comments") or ""))
    return Judged(
        words(method.extract_dom(dom, url=page.url, genre=None).text, page.gold_text).f1,
        words(apart.text, page.gold_text).f1,
        found.total(),
        gold.total(),
        (found & gold).total(),
    )


def _row(name: str, pages: Sequence[Judged]) -> list[Cell]:
    found, gold, common = (
        sum(getattr(page, count) for page in pages) for count in ("found", "gold", "common")
    )
    return [
        *(name, len(pages), sum(page.found > 0 for page in pages)),
        *(fmean(page.f1 for page in pages), fmean(page.without for page in pages)),
        found / len(pages),
        common / found if found and gold else None,
        common / gold if gold else None,
    ]

"""Compares the peers behind our interface with direct calls.

Each library is called as in its own documentation, and through ``extraction.extractor(name)``; both
texts are scored by WCXB's word F1.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import NamedTuple

import justext
import lxml.html  # type: ignore[import-untyped]
import readability
import trafilatura
from boilerpy3 import extractors
from resiliparse.extract.html2text import extract_plain_text

from benchmarks import sample
from benchmarks.report import Report
from corpus_commons.terminal.arguments import check_names, names_of
from evaluation.metrics import TEXT_METRICS
from extraction import ExtractionError, extractor
from extraction.labelled import LabelledPage

SUMMARY = "compare the libraries called through our interface with direct calls, by word F1"

_COLUMNS = {
    "method": "",
    "pages": "d",
    "direct": ".4f",
    "ours": ".4f",
    "difference": "+.4f",
    "direct failures": "d",
    "our failures": "d",
}

# The largest difference in mean F1 that counts as equal.
TOLERANCE = 0.01


def readability_text(html: str) -> str:
    """Readability returns HTML; its users take the text with a space between nodes."""
    summary = readability.Document(html).summary()
    return " ".join(lxml.html.fromstring(summary).itertext()) if summary.strip() else ""


def justext_text(html: str) -> str:
    paragraphs = justext.justext(html, justext.get_stoplist("English"))
    return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)


DIRECT: dict[str, Callable[[str], str]] = {
    "boilerpipe-article": extractors.ArticleExtractor().get_content,
    "boilerpipe-default": extractors.DefaultExtractor().get_content,
    "boilerpipe-canola": extractors.CanolaExtractor().get_content,
    "readability": readability_text,
    "resiliparse": lambda html: extract_plain_text(html, main_content=True),
    "trafilatura": lambda html: trafilatura.extract(html) or "",
    "justext": justext_text,
}


class Pair(NamedTuple):
    """One page by one method: the word F1 of both ways to call it.

    failures: how many of the two failed; a failure is scored as an empty text.
    """

    method: str
    direct: float
    ours: float
    failures: tuple[bool, bool]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    sample.add_arguments(parser)
    parser.add_argument(
        "--methods",
        type=names_of,
        default=",".join(DIRECT),
        help="separated by commas (default: %(default)s)",
    )


def run(arguments: argparse.Namespace, report: Report) -> int:
    """Print the table; the exit code is 1 if a method differs by more than TOLERANCE."""
    methods = arguments.methods
    check_names("peer", methods, DIRECT)
    logging.disable(logging.CRITICAL)
    pages = sample.sample(arguments)
    pairs = [pair for page in sample.shown(pages) for pair in compared(page, methods)]
    rows = []
    worst = 0.0
    for method in methods:
        of_method = [pair for pair in pairs if pair.method == method]
        direct = fmean(pair.direct for pair in of_method)
        ours = fmean(pair.ours for pair in of_method)
        worst = max(worst, abs(ours - direct))
        failures = [sum(column) for column in zip(*(p.failures for p in of_method), strict=True)]
        rows.append((method, len(of_method), direct, ours, ours - direct, *failures))
    report.table("fidelity", _COLUMNS, rows)
    return int(worst > TOLERANCE)


def compared(page: LabelledPage, methods: Sequence[str]) -> Iterator[Pair]:
    """Both ways to call each method on a page."""
    word_score = TEXT_METRICS["words"]
    for method in methods:
        direct = _direct_text(method, page)
        ours = _our_text(method, page)
        yield Pair(
            method,
            word_score(direct or "", page.gold_text).f1,
            word_score(ours or "", page.gold_text).f1,
            (direct is None, ours is None),
        )


def _direct_text(method: str, page: LabelledPage) -> str | None:
    try:
        return DIRECT[method](page.html)
    except Exception:
        return None


def _our_text(method: str, page: LabelledPage) -> str | None:
    try:
        return extractor(method).extract(page.html, url=page.url).text
    except ExtractionError:
        return None

"""Scores of each reading of the GOCE paper's two algorithms.

The tables are in docs/explanation/methods/goce.md.

The pages are divided into two halves by site, so that a reading can be chosen on the first half and
confirmed on the second.
"""

from __future__ import annotations

import argparse
import hashlib
from dataclasses import fields, replace
from typing import NamedTuple

from benchmarks import sample
from benchmarks.report import Report, mean
from corpus_commons.markup.sites import registered_domain
from evaluation.metrics import TEXT_METRICS
from extraction import Dom, Extractor, extractor, parse
from extraction.labelled import LabelledPage
from extraction.methods.goce import (
    LIST_VIEW_GENRES,
    LITERAL_ARTICLE,
    LITERAL_LIST_VIEW,
    ArticleReading,
    GoceArticle,
    GoceListView,
    ListViewReading,
)

SUMMARY = "measure word F1 of each reading of the GOCE paper's two algorithms"

_ARTICLE = ArticleReading()
ARTICLE_READINGS = (
    LITERAL_ARTICLE,
    replace(LITERAL_ARTICLE, counted="visible"),
    replace(_ARTICLE, children="nodes"),
    replace(_ARTICLE, children="blocks"),
    _ARTICLE,
    replace(_ARTICLE, empty_children=False),
    replace(_ARTICLE, unit="characters"),
    replace(_ARTICLE, counted="all"),
)
_LIST_VIEW = ListViewReading()
LIST_VIEW_READINGS = (
    LITERAL_LIST_VIEW,
    replace(LITERAL_LIST_VIEW, counted="visible"),
    replace(_LIST_VIEW, class_name="each"),
    _LIST_VIEW,
    replace(_LIST_VIEW, classless="tag"),
    replace(_LIST_VIEW, classless="skip"),
    replace(_LIST_VIEW, repeated=True),
    replace(_LIST_VIEW, unit="characters"),
    replace(_LIST_VIEW, counted="all"),
    replace(_LIST_VIEW, top=5),
    replace(_LIST_VIEW, top=30),
)


class Row(NamedTuple):
    """A method and its word F1 on every page."""

    name: str
    method: Extractor
    scores: list[float]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    sample.add_arguments(parser)


def run(arguments: argparse.Namespace, report: Report) -> int:
    """Print a table for the pages of each of the paper's genres."""
    pages = sample.sample(arguments)
    lists = [page for page in pages if page.genre in LIST_VIEW_GENRES]
    articles = [page for page in pages if page.genre not in LIST_VIEW_GENRES]
    by_article = [_row(reading, GoceArticle(reading)) for reading in ARTICLE_READINGS]
    by_list_view = [_row(reading, GoceListView(reading)) for reading in LIST_VIEW_READINGS]
    _compare(report, "Article pages", articles, [*by_article, _row(_LIST_VIEW, GoceListView())])
    _compare(report, "List-view pages", lists, [*by_list_view, _row(_ARTICLE, GoceArticle())])
    return 0


def _row(reading: ArticleReading | ListViewReading, method: Extractor) -> Row:
    values = (f"{field.name}={getattr(reading, field.name)}" for field in fields(reading))
    return Row(f"{method.name}: {', '.join(values)}", method, [])


def _compare(report: Report, title: str, pages: list[LabelledPage], rows: list[Row]) -> None:
    rows = [Row("all-text", extractor("all-text"), []), *rows]
    halves = [_half(page) for page in pages]
    for page in sample.shown(pages):
        dom = parse(page.html)
        for row in rows:
            row.scores.append(_word_f1(row.method, dom, page))
    lines = []
    for row in rows:
        first, second = (
            [score for score, half in zip(row.scores, halves, strict=True) if half == which]
            for which in (0, 1)
        )
        lines.append((row.name, *map(mean, (first, second, row.scores))))
    columns = {title: "", "first half": ".3f", "second half": ".3f", "all pages": ".3f"}
    report.table(title, columns, lines)


def _word_f1(method: Extractor, dom: Dom, page: LabelledPage) -> float:
    return TEXT_METRICS["words"](method.extract(dom).text, page.gold_text).f1


def _half(page: LabelledPage) -> int:
    """0 or 1, the same for all pages of a registered domain."""
    site = registered_domain(page.url or page.id) or page.id
    return hashlib.sha256(site.encode()).digest()[0] % 2

"""``train-url``: fits what the terms of URLs say of the types of their pages."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from corpus_commons.terminal.arguments import Distinct, output_file
from corpus_commons.terminal.commands import usage_errors
from corpus_commons.terminal.console import show
from corpus_commons.terminal.output import write_output
from genre_model.folds import NO_FOLD, check_folds, grouped_folds
from genre_model.labels import HEADS
from genre_model.prediction import Prediction
from genre_model.scoring.prediction_file import read_predictions
from genre_model.scoring.tables import by_class, summary
from genre_model.training.html.pages import LabelledHtml, read_wcxb
from genre_model.training.html.scored import scored
from genre_model.training.url import UrlPage, fit_url
from genre_model.url.terms import terms

_log = logging.getLogger(__name__)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--wcxb", type=Path, required=True, metavar="FILE", help="WCXB's pages")
    parser.add_argument(
        "--additional",
        type=Path,
        nargs="+",
        action=Distinct,
        default=[],
        metavar="FILE",
        help="pages in the same form (id, url, genre, html), which are only trained on",
    )
    parser.add_argument(
        "--html-wcxb",
        type=Path,
        required=True,
        metavar="FILE",
        help="of WCXB: out-of-fold predictions by train-html",
    )
    parser.add_argument(
        "--oof-wcxb",
        type=output_file,
        metavar="OUT.jsonl",
        help="write these predictions with what the URLs say, for fit-stacking",
    )
    parser.add_argument("--out", type=output_file, required=True, help="the .zst file of weights")


def run(arguments: Namespace) -> None:
    """Compare HTML with HTML and URL, cross-fitted by site; write the weights."""
    with usage_errors():
        by_html = read_predictions(arguments.html_wcxb)
        pages = [page for page in _read(arguments.wcxb) if page.id in by_html]
        folds = grouped_folds([page.site for page in pages])
        check_folds("page_type", np.ones(len(pages), dtype=np.bool_), np.array(folds))
        more = [page for file in arguments.additional for page in _read(file)]
    fold_of = {page.site: fold for page, fold in zip(pages, folds, strict=True)}
    learnt = [(fold_of.get(page.site, NO_FOLD), _url_page(page)) for page in (*pages, *more)]
    fitted = {
        fold: fit_url([page for its, page in learnt if its != fold]) for fold in sorted({*folds})
    }
    before = [by_html[page.id].prediction for page in pages]
    after = [
        fitted[fold].revise(its, page.url)
        for its, page, fold in zip(before, pages, folds, strict=True)
    ]
    for head in HEADS:
        _print(head, pages, {"HTML": before, "HTML and URL": after})
    if arguments.oof_wcxb:
        lines = [
            its.to_json(page.id, fold=str(fold))
            for its, page, fold in zip(after, pages, folds, strict=True)
        ]
        write_output(arguments.oof_wcxb, b"".join(lines))
    fit_url([page for _, page in learnt]).save(arguments.out)
    _log.info("wrote %s", arguments.out)


def _read(file: Path) -> Iterator[LabelledHtml]:
    """The pages of known type, without their HTML."""
    return (replace(page, html="") for page in read_wcxb(file) if page.page_type is not None)


def _url_page(page: LabelledHtml) -> UrlPage:
    return UrlPage(terms(page.url), page.site, str(page.page_type))


def _print(
    head: str, pages: Sequence[LabelledHtml], predictions: Mapping[str, Sequence[Prediction]]
) -> None:
    known = [number for number, page in enumerate(pages) if getattr(page, head) is not None]
    if not known:
        return
    labelled = [pages[number] for number in known]
    rows = {
        by: scored(head, labelled, [its[number] for number in known])
        for by, its in predictions.items()
    }
    show(summary(f"{head.replace('_', ' ')}, WCXB", rows))
    show(by_class(rows["HTML and URL"]))

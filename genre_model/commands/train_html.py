"""Train the HTML classifier on labelled pages, and cross-validate it by site.

Writes the model file and, beside it, a JSON file with the cross-validated scores. The temperatures
of the model come from the same cross-validation.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import orjson

from corpus_commons.terminal.arguments import output_file, positive
from corpus_commons.terminal.commands import UsageError
from genre_model.html.classifier import SHIPPED_MODEL
from genre_model.html.model import save
from genre_model.prediction import Prediction
from genre_model.training.html.fitting import (
    GENRE,
    PAGE_TYPE,
    UNKNOWN,
    Labels,
    OutOfFold,
    Pages,
    cross_validated,
    fit_model,
    pages_of,
    pooled,
    svm_answers,
)
from genre_model.training.html.report import report, tables
from genre_model.training.html.samples import read_folder, read_wcxb, rows_of
from genre_model.training.html.teaching import check_lessons, lessons
from genre_model.training.options import add_training_options
from genre_model.training.samples import check_folds
from genre_model.whole_file import whole_file

if TYPE_CHECKING:
    import argparse

_log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="labels.jsonl (id, genre or page_type) and html.jsonl.zst (id, html)",
    )
    parser.add_argument("--wcxb", type=Path, metavar="FILE", help="also train on WCXB's pages")
    add_training_options(parser, SHIPPED_MODEL)
    parser.add_argument(
        "--oof-wcxb", type=output_file, metavar="OUT.jsonl", help="the same for WCXB"
    )
    parser.add_argument(
        "--teach",
        type=output_file,
        metavar="OUT.jsonl",
        help="write soft labels for `train --teacher`",
    )
    parser.add_argument("--no-svm", action="store_true", help="leave out the paper's SVM")
    parser.add_argument("--no-model", action="store_true", help="measure only")
    parser.add_argument(
        "--rounds",
        type=positive,
        metavar="N",
        help=f"boosting rounds (default: genres {GENRE.rounds}, page types {PAGE_TYPE.rounds})",
    )
    parser.add_argument("--seed", type=int, default=1, help="(default: %(default)s)")


def run(arguments: argparse.Namespace) -> None:
    """Read, cross-validate, report, train on all pages, write."""
    if arguments.oof_wcxb and not arguments.wcxb:
        raise UsageError("--oof-wcxb needs --wcxb")
    try:
        pages = _pages(arguments)
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error
    _log.info("%d pages, %d features", *pages.full.shape)
    questions = [
        replace(question, rounds=arguments.rounds or question.rounds)
        for question in (GENRE, PAGE_TYPE)
    ]
    answers = {
        question.name: cross_validated(pages, question, arguments.seed) for question in questions
    }
    answers["genre"], pool = pooled(pages, answers["genre"], answers["page_type"])
    svm = None if arguments.no_svm else _svm(pages)
    scores = report(pages, answers["genre"], answers["page_type"], svm)
    _log.info("out of fold:\n%s", tables(scores))
    for name, answer in answers.items():
        _log.info(
            "%s: temperature %.3f, share of words %.1f", name, answer.temperature, answer.share
        )
    for of_set, file in enumerate((arguments.oof, arguments.oof_wcxb)):
        if file:
            file.write_bytes(_lines(pages, of_set, answers["genre"], answers["page_type"]))
    _log.info(
        "genre: %s", ", ".join(f"weight {its:.2f} {eye}" for eye, its in pool.weights.items())
    )
    if arguments.teach:
        # An incomplete file would have soft labels for some folds' networks only.
        with whole_file(arguments.teach) as file:
            file.writelines(lessons(pages, questions, arguments.seed))
    if arguments.no_model:
        return
    save(arguments.out, fit_model(pages, questions, answers, pool, arguments.seed))
    scores_file = arguments.out.with_suffix(".json")
    scores_file.write_bytes(orjson.dumps(scores, option=orjson.OPT_INDENT_2))
    _log.info(
        "wrote %s, %d bytes, and %s", arguments.out, arguments.out.stat().st_size, scores_file
    )


def _pages(arguments: argparse.Namespace) -> Pages:
    sets = [rows_of("folder", read_folder(arguments.data, arguments.group_by))]
    if arguments.wcxb:
        sets.append(rows_of("wcxb", read_wcxb(arguments.wcxb)))
    pages = pages_of(sets, arguments.cross_validate)
    for question in (GENRE, PAGE_TYPE):
        known = pages.truth(question) != UNKNOWN
        check_folds(question.name, known, pages.folds)
        if arguments.teach:
            check_lessons(question.name, pages.folds[known])
    return pages


def _svm(pages: Pages) -> list[Labels] | None:
    """The baseline's predictions on every set; None, with a warning, if it cannot be trained."""
    try:
        return [svm_answers(pages, of_set) for of_set in range(len(pages.sets))]
    except ValueError as error:
        _log.warning("the paper's SVM is skipped: %s", error)
        return None


def _lines(pages: Pages, of_set: int, genre: OutOfFold, page_type: OutOfFold) -> bytes:
    """The predictions for a set's pages, in the format of ``predict``, with the fold of each."""
    lines = []
    first = int(np.argmax(pages.set_of == of_set))
    for i, page in enumerate(pages.sets[of_set].ids, start=first):
        prediction = Prediction.of(
            dict(zip(GENRE.labels, genre.full[i].tolist(), strict=True)),
            dict(zip(PAGE_TYPE.labels, page_type.full[i].tolist(), strict=True)),
        )
        lines.append(prediction.to_json(page, fold=str(pages.folds[i])))
    return b"".join(lines)

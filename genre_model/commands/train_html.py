"""Train the HTML classifier on labelled pages, and cross-validate it by site.

Writes the model file and, beside it, a JSON file with the cross-validated scores. The temperatures
of the model come from the same cross-validation.
"""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path

import numpy as np
import orjson

from corpus_commons.durable_files import replacing
from corpus_commons.kinds import GENRES, PAGE_TYPES
from corpus_commons.terminal.arguments import output_file, positive
from corpus_commons.terminal.commands import UsageError, usage_errors
from corpus_commons.terminal.console import show
from corpus_commons.terminal.output import write_output
from genre_model import trees
from genre_model.calibration import IntArray, is_at_bound
from genre_model.commands.training_options import add_additional, add_tree_options
from genre_model.folds import check_folds
from genre_model.fusion import HeadFusion, genre_by_types
from genre_model.labels import HEADS, UNKNOWN
from genre_model.scoring.prediction_file import write_out_of_fold
from genre_model.training.fusion import cross_fused, fit_fusion
from genre_model.training.html.pages import FOLDER, RECIPES, WCXB, HtmlPages, read_pages
from genre_model.training.html.report import fields, report, tables
from genre_model.training.html.soft_labels import check_soft_labels, soft_labels
from genre_model.training.html.svm import unseen_answers
from genre_model.training.trees import OutOfFold, cross_validated, fit_model

_log = logging.getLogger(__name__)


def add_arguments(parser: ArgumentParser) -> None:
    add_tree_options(
        parser,
        "html.zst",
        pages="html.jsonl.zst (id, html)",
        or_file="; or one .jsonl file with both",
    )
    parser.add_argument("--wcxb", type=Path, metavar="FILE", help="also train on WCXB's pages")
    add_additional(parser)
    parser.add_argument(
        "--oof-wcxb", type=output_file, metavar="OUT.jsonl", help="the same as --oof for WCXB"
    )
    parser.add_argument(
        "--teach",
        type=output_file,
        metavar="OUT.jsonl",
        help="write soft labels for `train --teacher`",
    )
    parser.add_argument("--no-svm", action="store_true", help="leave out the paper's SVM")
    rounds = ", ".join(f"{head.replace('_', ' ')}s {its.rounds}" for head, its in RECIPES.items())
    parser.add_argument(
        "--rounds", type=positive, metavar="N", help=f"boosting rounds (default: {rounds})"
    )


def run(arguments: Namespace) -> None:
    """Read, cross-validate, report, train on all pages, write."""
    if arguments.oof_wcxb and not arguments.wcxb:
        raise UsageError("--oof-wcxb needs --wcxb")
    with usage_errors():
        pages = _read(arguments)
    _log.info("%d pages, %d features", *pages.full.rows.shape)
    if pages.additional is not None:
        _log.info("%d additional pages", len(pages.additional.ids))
    unseen = {head: cross_validated(pages, head, arguments.seed) for head in HEADS}
    unseen["genre"], pool = _pooled(pages, unseen)
    scores = report(pages, unseen, _svm(pages))
    show(*tables(scores))
    for head, its in unseen.items():
        _tell_calibration(head.replace("_", " "), its)
    _log.info(
        "genre: weight of its own trees %.2f, of what the page types imply %.2f",
        pool.weights[trees.ASKED],
        pool.weights[trees.BY_TYPES],
    )
    for dataset, file in ((FOLDER, arguments.oof), (WCXB, arguments.oof_wcxb)):
        if file:
            chosen = np.flatnonzero(pages.datasets == dataset)
            write_out_of_fold(
                file,
                [pages.ids[page] for page in chosen.tolist()],
                pages.folds[chosen],
                {head: its.probabilities[0, chosen] for head, its in unseen.items()},
            )
    if arguments.teach:
        # An incomplete file would have soft labels for some folds' networks only.
        with replacing(arguments.teach) as file:
            file.writelines(soft_labels(pages, arguments.seed))
    if arguments.no_model:
        return
    trees.save(arguments.out, fit_model(pages, unseen, arguments.seed, pool))
    scores_file = arguments.out.with_suffix(".json")
    plain = {
        name: {kind: fields(its) for kind, its in kinds.items()} for name, kinds in scores.items()
    }
    write_output(scores_file, orjson.dumps(plain, option=orjson.OPT_INDENT_2))
    _log.info(
        "wrote %s, %d bytes, and %s", arguments.out, arguments.out.stat().st_size, scores_file
    )


def _tell_calibration(head: str, unseen: OutOfFold) -> None:
    _log.info(
        "%s: temperature %.3f, weight of the words %.1f", head, unseen.temperature, unseen.share
    )
    if is_at_bound(unseen.temperature):
        _log.warning("%s: the temperature is at its bound: too few pages to calibrate on", head)


def _read(arguments: Namespace) -> HtmlPages:
    pages = read_pages(
        arguments.data,
        arguments.wcxb,
        group_by=arguments.group_by,
        folds=arguments.cross_validate,
        seed=arguments.seed,
        rounds=arguments.rounds,
        additional=arguments.additional,
        svm=not arguments.no_svm,
    )
    for head in HEADS:
        known = pages.truth(head) != UNKNOWN
        check_folds(head, known, pages.folds)
        if arguments.teach:
            check_soft_labels(head, pages.folds[known])
    return pages


def _pooled(pages: HtmlPages, unseen: dict[str, OutOfFold]) -> tuple[OutOfFold, HeadFusion]:
    """The genre's probabilities combined with those derived from page types, and the final pool.

    The probabilities of each fold are pooled with weights fitted on the others.
    """
    full, *others = (
        {trees.ASKED: asked, trees.BY_TYPES: genre_by_types(types, PAGE_TYPES, GENRES)}
        for asked, types in zip(
            unseen["genre"].probabilities, unseen["page_type"].probabilities, strict=True
        )
    )
    truth = pages.truth("genre")
    known = truth != UNKNOWN
    pooled = [cross_fused(full, truth, GENRES, pages.folds, its) for its in (full, *others)]
    pool = fit_fusion({name: its[known] for name, its in full.items()}, truth[known], GENRES)
    return replace(unseen["genre"], probabilities=np.stack(pooled)), pool


def _svm(pages: HtmlPages) -> dict[str, IntArray] | None:
    """The baseline's predictions on every set; None if it is left out or, with a warning, if it
    cannot be trained.
    """
    if pages.goce is None:
        return None
    truth = pages.truth("genre")
    try:
        return {
            name: unseen_answers(
                pages.goce,
                np.where(pages.datasets == name, truth, UNKNOWN),
                pages.sites,
                pages.folds,
            )
            for name in np.unique(pages.datasets).tolist()
        }
    except ValueError as error:
        _log.warning("the paper's SVM is skipped: %s", error)
        return None

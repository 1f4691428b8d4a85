"""``train-layout``: trains and cross-validates trees over layout measures of screenshots."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace
from pathlib import Path

import numpy as np

from corpus_commons.counts import number_of
from corpus_commons.terminal.commands import usage_errors
from genre_model import trees
from genre_model.commands.training_options import add_extra_data, add_tree_options
from genre_model.labels import HEADS, UNKNOWN
from genre_model.scoring.prediction_file import write_out_of_fold
from genre_model.scoring.scores import score
from genre_model.training.layout_pages import LayoutPages, read_pages
from genre_model.training.trees import OutOfFold, cross_validated, fit_model

_log = logging.getLogger(__name__)


def add_arguments(parser: ArgumentParser) -> None:
    add_tree_options(parser, "layout.zst", pages="shots/ID.jpg")
    add_extra_data(parser)
    parser.add_argument(
        "--measures",
        type=Path,
        metavar="FOLDER",
        help="folder to cache the measures in, or to reuse them from",
    )


def run(arguments: Namespace) -> None:
    """Read, cross-validate, report, train on all pages, write."""
    with usage_errors():
        pages = read_pages(
            arguments.data,
            group_by=arguments.group_by,
            folds=arguments.cross_validate,
            teacher=arguments.teacher,
            synthetic=arguments.synthetic,
            additional=arguments.additional,
            cache=arguments.measures,
        )
    _log.info("%d pages, %d measures", *pages.rows.shape)
    unseen = {head: cross_validated(pages, head, arguments.seed) for head in HEADS}
    for head, its in unseen.items():
        _log.info("%s, out of fold: %s", head.replace("_", " "), _summary(pages, head, its))
    if arguments.oof:
        probabilities = {head: its.probabilities[0] for head, its in unseen.items()}
        write_out_of_fold(arguments.oof, pages.ids, pages.folds, probabilities)
    if arguments.no_model:
        return
    trees.save(arguments.out, fit_model(pages, unseen, arguments.seed))
    _log.info("wrote %s, %d bytes", arguments.out, arguments.out.stat().st_size)


def _summary(pages: LayoutPages, head: str, unseen: OutOfFold) -> str:
    truth = pages.truth(head)
    known = np.flatnonzero(truth != UNKNOWN)
    sites = [pages.sites[page] for page in known.tolist()]
    rows = unseen.probabilities[0, known]
    scores = score(rows, truth[known], HEADS[head], sites, threshold=0.0)
    low, high = scores.accuracy.low, scores.accuracy.high
    return (
        f"{number_of(scores.pages, 'page')}, "
        f"accuracy {scores.accuracy.value:.4f} [{low:.3f}, {high:.3f}], "
        f"macro F1 {scores.macro_f1.value:.3f}, calibration error {scores.calibration_error:.3f}"
    )

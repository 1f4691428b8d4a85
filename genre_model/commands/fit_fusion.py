"""``fit-fusion``: fits weights to combine classifiers, on out-of-fold predictions."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from corpus_commons.kinds import GENRES
from corpus_commons.terminal.arguments import output_file
from corpus_commons.terminal.commands import UsageError, usage_errors
from corpus_commons.terminal.console import show
from genre_model.calibration import FloatArray, IntArray
from genre_model.commands.training_options import add_group_by, add_hidden_alias
from genre_model.folds import check_folds, grouped_folds
from genre_model.fusion import HTML, SURE, Fusion, HeadFusion, by_types, genre_by_types
from genre_model.labels import HEADS, UNKNOWN, indices_of
from genre_model.prediction import THRESHOLD
from genre_model.samples import Sample, read_samples, sites_of
from genre_model.scoring.judgement import Judgement, judge, score_table
from genre_model.scoring.prediction_file import Predicted, read_predictions, write_out_of_fold
from genre_model.scoring.scores import Scores
from genre_model.scoring.tables import summary
from genre_model.training.fusion import cross_fused, fit_fusion, mean

_FEWEST = 2

_log = logging.getLogger(__name__)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="the labelled folder")
    parser.add_argument(
        "--classifier",
        type=_named_file,
        action="append",
        default=[],
        dest="classifiers",
        metavar="NAME=FILE",
        help="the name of a classifier and its out-of-fold predictions in the format of `predict`; "
        "repeat it: network and layout for predictions by screenshot, screenshot and html for "
        "those by both",
    )
    add_hidden_alias(parser, "--eye", "classifiers", type=_named_file, action="append")
    add_group_by(parser)
    parser.add_argument("--out", type=output_file, required=True, help="the .json file of weights")
    parser.add_argument(
        "--oof",
        type=output_file,
        metavar="OUT.jsonl",
        help="write every page's combined prediction, with weights fitted on other sites",
    )


def run(arguments: Namespace) -> None:
    """Compare the classifiers, their mean, their product and the fitted pool; write its weights.

    The pool is scored by cross-validation: every page with weights fitted on other sites.
    """
    files: dict[str, Path] = dict(arguments.classifiers)
    if len(files) < _FEWEST:
        raise UsageError(
            "at least two classifiers are needed: --classifier NAME=FILE --classifier OTHER=FILE"
        )
    with usage_errors():
        predictions = {name: read_predictions(path) for name, path in files.items()}
        pages = _pages(read_samples(arguments.data), predictions, arguments.group_by)
        fitted = {head: _fitted(pages, head) for head in HEADS}
    Fusion(fitted["genre"].head, fitted["page_type"].head).save(arguments.out)
    _log.info("wrote %s", arguments.out)
    if arguments.oof:
        write_out_of_fold(
            arguments.oof,
            [sample.id for sample in pages.samples],
            pages.folds,
            {head: its.unseen for head, its in fitted.items()},
            {head: its.head.labels for head, its in fitted.items()},
        )


@dataclass(frozen=True, eq=False)
class _Pages:
    """The pages that all classifiers have predicted.

    folds: the fold of every page, for the weights. group_by: the column with the site.
    """

    samples: Sequence[Sample]
    predictions: Mapping[str, Mapping[str, Predicted]]
    folds: IntArray
    group_by: str


@dataclass(frozen=True, eq=False)
class _Fitted:
    """head: fitted on all pages. unseen: (pages, labels), with weights fitted on other folds."""

    head: HeadFusion
    unseen: FloatArray


def _pages(
    samples: Sequence[Sample], predictions: Mapping[str, Mapping[str, Predicted]], group_by: str
) -> _Pages:
    """The folds are those of the classifiers' cross-validations: they depend only on the folder."""
    folds = np.array(grouped_folds(sites_of(samples, group_by)))
    seen = [i for i, s in enumerate(samples) if all(s.id in its for its in predictions.values())]
    if not seen:
        raise ValueError("no page of the folder is in all prediction files")
    return _Pages([samples[i] for i in seen], predictions, folds[seen], group_by)


def _fitted(pages: _Pages, head: str) -> _Fitted:
    """Fit the pool of one head, and print a table that compares it."""
    judgements = {
        name: judge(head, pages.samples, its, pages.group_by)
        for name, its in pages.predictions.items()
    }
    first = next(iter(judgements.values()))
    if first is None:
        raise ValueError(f"no page has a label for its {head.replace('_', ' ')}")
    names = first.labels
    answers = {
        name: score_table(head, pages.samples, its, names)
        for name, its in pages.predictions.items()
    }
    opinions = answers | (_by_types(pages, names) if head == "genre" else {})
    truth = indices_of([getattr(sample, head) for sample in pages.samples], names)
    known = truth != UNKNOWN
    check_folds(head, known, pages.folds)
    unseen = cross_fused(opinions, truth, names, pages.folds)
    labelled = {name: rows[known] for name, rows in answers.items()}
    compared = {
        "mean": mean(labelled),
        "product": HeadFusion.product_of([*labelled], names).pool(labelled),
        "fitted pool": unseen[known],
    }
    if HTML in labelled:
        is_sure = labelled[HTML].max(axis=1, keepdims=True) >= SURE
        compared["pool where HTML doubts"] = np.where(is_sure, labelled[HTML], unseen[known])
        show(f"HTML is sure of {is_sure.mean():.3f} of the pages")
    _print(first, labelled | compared, pages.folds[known])
    of_known = {name: rows[known] for name, rows in opinions.items()}
    return _Fitted(fit_fusion(of_known, truth[known], names), unseen)


def _by_types(pages: _Pages, genres: Sequence[str]) -> dict[str, FloatArray]:
    """Each classifier's genre probabilities from its page types; empty for unknown genres."""
    if {*genres} != {*GENRES}:
        return {}
    found = {}
    for name, predictions in pages.predictions.items():
        tables = [predictions[sample.id].prediction.page_type_scores for sample in pages.samples]
        rows = [genre_by_types([*table.values()], [*table], genres) for table in tables]
        found[by_types(name)] = np.stack(rows)
    return found


def _print(judgement: Judgement, rows: Mapping[str, FloatArray], folds: IntArray) -> None:
    def scores(probabilities: FloatArray) -> Scores:
        return replace(judgement, probabilities=probabilities).scores(threshold=THRESHOLD)

    title = judgement.head.replace("_", " ")
    show(summary(title, {name: scores(found) for name, found in rows.items()}))
    for name, found in rows.items():
        right = found.argmax(axis=1) == judgement.truth
        by_fold = "  ".join(f"{right[folds == fold].mean():.3f}" for fold in np.unique(folds))
        show(f"{name:>12}, accuracy by fold: {by_fold}")


def _named_file(value: str) -> tuple[str, Path]:
    name, is_there, path = value.partition("=")
    if not name or not is_there or not path:
        raise ArgumentTypeError("must be NAME=FILE, such as html=html.jsonl")
    return name, Path(path)

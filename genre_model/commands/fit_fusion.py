"""``fit-fusion``: fits weights to combine classifiers (eyes), on out-of-fold predictions."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from corpus_commons.terminal.arguments import output_file
from corpus_commons.terminal.commands import UsageError
from corpus_commons.terminal.console import output_console
from genre_model.calibration import FloatArray, IntArray
from genre_model.fusion import (
    Fusion,
    HeadFusion,
    by_types,
    cross_fused,
    fit_fusion,
    genre_by_types,
    mean,
    product,
)
from genre_model.labels import TYPES_OF_GENRE
from genre_model.prediction import THRESHOLD, Prediction
from genre_model.scoring.judgement import HEADS, Judgement, Predicted, judge, read_predictions
from genre_model.scoring.scores import Scores
from genre_model.scoring.tables import summary
from genre_model.training.samples import Sample, check_folds, grouped_folds, read_samples, sites_of

_WIDTH = 140
_FEWEST_EYES = 2

Eyes = Mapping[str, Mapping[str, Predicted]]


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="the labelled folder")
    parser.add_argument(
        "--eye",
        type=_eye,
        action="append",
        required=True,
        metavar="NAME=FILE",
        help="the name of a classifier and its out-of-fold predictions in the format of `predict`; "
        "repeat it: network and layout for predictions by screenshot, screenshot and html for "
        "those by both",
    )
    parser.add_argument(
        "--group-by", default="repo", metavar="COLUMN", help="the labels' column with the site"
    )
    parser.add_argument("--out", type=output_file, required=True, help="the .json file of weights")
    parser.add_argument(
        "--oof",
        type=output_file,
        metavar="OUT.jsonl",
        help="write every page's combined prediction, with weights fitted on other sites",
    )


def run(arguments: Namespace) -> None:
    """Compare the eyes, their mean, their product and the fitted pool; write the pool's weights.

    The pool is scored by cross-validation: every page with weights fitted on other sites.
    """
    files: dict[str, Path] = dict(arguments.eye)
    if len(files) < _FEWEST_EYES:
        raise UsageError("at least two eyes are needed: --eye NAME=FILE --eye OTHER=FILE")
    try:
        eyes = {name: read_predictions(path) for name, path in files.items()}
        pages = _pages(read_samples(arguments.data), eyes, arguments.group_by)
        heads = {head: _fitted(pages, head) for head in HEADS}
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error
    Fusion(heads["genre"].head, heads["page_type"].head).save(arguments.out)
    if arguments.oof:
        arguments.oof.write_bytes(_lines(pages, heads))


@dataclass(frozen=True, eq=False)
class _Pages:
    """The predictions of all eyes.

    folds: the fold of every page, for the weights. group_by: the column with the site.
    """

    samples: Sequence[Sample]
    eyes: Eyes
    folds: IntArray
    group_by: str


@dataclass(frozen=True, eq=False)
class _Fitted:
    """head: fitted on all pages. unseen: (pages, labels), with weights fitted on other folds."""

    head: HeadFusion
    unseen: FloatArray


def _pages(samples: Sequence[Sample], eyes: Eyes, group_by: str) -> _Pages:
    """The folds are those of the classifiers' cross-validations: they depend only on the folder."""
    folds = np.array(grouped_folds(sites_of(samples, group_by)))
    seen = [i for i, s in enumerate(samples) if all(s.id in found for found in eyes.values())]
    if not seen:
        raise ValueError("no page of the folder is in all prediction files")
    return _Pages([samples[i] for i in seen], eyes, folds[seen], group_by)


def _fitted(pages: _Pages, head: str) -> _Fitted:
    """Fit the pool of one head, and print a table that compares it."""
    judgements = {
        name: judge(head, pages.samples, found, pages.group_by)
        for name, found in pages.eyes.items()
    }
    first = next(iter(judgements.values()))
    if first is None:
        raise ValueError(f"no page has a label for its {head.replace('_', ' ')}")
    names = first.labels
    answers = {
        name: _probabilities(pages.samples, head, found, names)
        for name, found in pages.eyes.items()
    }
    opinions = answers | _by_types(pages, head, names)
    truth = np.array(
        [-1 if (label := getattr(s, head)) is None else names.index(label) for s in pages.samples]
    )
    check_folds(head, truth >= 0, pages.folds)
    unseen = cross_fused(opinions, truth, names, pages.folds)
    known = truth >= 0
    labelled = {name: rows[known] for name, rows in answers.items()}
    _print(
        first,
        labelled
        | {
            "mean": mean(labelled),
            "product": product(labelled),
            "fitted pool": unseen[known],
        },
        pages.folds[known],
    )
    its = {name: rows[known] for name, rows in opinions.items()}
    return _Fitted(fit_fusion(its, truth[known], names), unseen)


def _by_types(pages: _Pages, head: str, names: Sequence[str]) -> dict[str, FloatArray]:
    """For the genre head, each eye's genre probabilities from its page types; otherwise empty."""
    if head != "genre" or {*names} != {*TYPES_OF_GENRE}:
        return {}
    found: dict[str, FloatArray] = {}
    for name, predicted in pages.eyes.items():
        tables = [
            genre_by_types(predicted[sample.id].prediction.page_type_scores)
            for sample in pages.samples
        ]
        found[by_types(name)] = np.array([[table[genre] for genre in names] for table in tables])
    return found


def _probabilities(
    samples: Sequence[Sample], head: str, found: Mapping[str, Predicted], names: Sequence[str]
) -> FloatArray:
    tables = [getattr(found[sample.id].prediction, f"{head}_scores") for sample in samples]
    for sample, table in zip(samples, tables, strict=True):
        if set(table) != set(names):
            raise ValueError(f"{sample.id} has scores for {sorted(table)}, others for {names}")
    return np.array([[table[name] for name in names] for table in tables])


def _print(judgement: Judgement, rows: Mapping[str, FloatArray], folds: IntArray) -> None:
    def scores(probabilities: FloatArray) -> Scores:
        return replace(judgement, probabilities=probabilities).scores(threshold=THRESHOLD)

    with output_console(_WIDTH) as console:
        title = judgement.head.replace("_", " ")
        console.print(summary(title, {name: scores(found) for name, found in rows.items()}))
        for name, found in rows.items():
            right = found.argmax(axis=1) == judgement.truth
            by_fold = "  ".join(f"{right[folds == fold].mean():.3f}" for fold in np.unique(folds))
            console.print(f"{name:>12}, accuracy by fold: {by_fold}")


def _lines(pages: _Pages, heads: Mapping[str, _Fitted]) -> bytes:
    tables = [
        [dict(zip(fitted.head.labels, row, strict=True)) for row in fitted.unseen.tolist()]
        for fitted in (heads["genre"], heads["page_type"])
    ]
    return b"".join(
        Prediction.of(genre, page_type).to_json(sample.id, fold=str(fold))
        for sample, fold, genre, page_type in zip(
            pages.samples, pages.folds.tolist(), *tables, strict=True
        )
    )


def _eye(value: str) -> tuple[str, Path]:
    name, is_there, path = value.partition("=")
    if not name or not is_there or not path:
        raise ArgumentTypeError("must be NAME=FILE, such as html=html.jsonl")
    return name, Path(path)

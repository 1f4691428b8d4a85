"""``train-layout``: trains and cross-validates trees over layout measures of screenshots."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from corpus_commons.terminal.commands import UsageError
from corpus_commons.terminal.progress import watched
from genre_model.layout.classifier import SHIPPED_MODEL
from genre_model.layout.measures import SIZE, Vector, measure, measure_names
from genre_model.layout.model import save
from genre_model.prediction import Prediction
from genre_model.scoring.scores import score
from genre_model.screenshot import ScreenshotError, decode_top
from genre_model.training.layout_fitting import (
    HEADS,
    Made,
    Measured,
    OutOfFold,
    cross_validated,
    fit_model,
)
from genre_model.training.options import add_training_options
from genre_model.training.samples import (
    Sample,
    check_folds,
    grouped_folds,
    read_samples,
    shot_path,
    sites_of,
)
from genre_model.training.targets import LABELS
from genre_model.training.teacher import read_teacher

_log = logging.getLogger(__name__)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="labels.jsonl (id, genre or page_type) and shots/ID.jpg",
    )
    parser.add_argument(
        "--teacher",
        type=Path,
        metavar="FILE",
        help="soft labels from `train-html --teach`, for distillation",
    )
    parser.add_argument(
        "--made",
        type=Path,
        metavar="FOLDER",
        help="synthetic pages from `synthesize` to train on as well; they are in no fold",
    )
    add_training_options(parser, SHIPPED_MODEL)
    parser.add_argument(
        "--measures",
        type=Path,
        metavar="FOLDER",
        help="folder to cache the measures in (data.npz, made.npz), or to reuse them from",
    )
    parser.add_argument("--no-model", action="store_true", help="measure only")
    parser.add_argument("--seed", type=int, default=1, help="(default: %(default)s)")


def run(arguments: Namespace) -> None:
    """Read, cross-validate, report, train on all pages, write."""
    try:
        measured = _measured(arguments)
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error
    _log.info("%d pages, %d measures", *measured.rows.shape)
    answers = {head: cross_validated(measured, head, arguments.seed) for head in HEADS}
    for head, answer in answers.items():
        _log.info("%s, out of fold: %s", head, _worth(measured, head, answer, arguments.group_by))
    if arguments.oof:
        arguments.oof.write_bytes(_lines(measured, answers))
    if arguments.no_model:
        return
    save(arguments.out, fit_model(measured, answers, arguments.seed))
    _log.info("wrote %s, %d bytes", arguments.out, arguments.out.stat().st_size)


def _measured(arguments: Namespace) -> Measured:
    kept: Path | None = arguments.measures
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
    samples = read_samples(arguments.data)
    sites = sites_of(samples, arguments.group_by)
    fold_of = np.array(grouped_folds(sites, arguments.cross_validate))
    for head in HEADS:
        known = np.array([getattr(sample, head) is not None for sample in samples], np.bool_)
        check_folds(head, known, fold_of)
    teacher = read_teacher(arguments.teacher, samples, fold_of) if arguments.teacher else None
    made = None
    if arguments.made is not None:
        others = read_samples(arguments.made)
        made = Made(others, _rows(arguments.made, others, kept and kept / "made.npz"))
    return Measured(
        samples,
        _rows(arguments.data, samples, kept and kept / "data.npz"),
        fold_of,
        teacher,
        made,
    )


def _rows(folder: Path, samples: Sequence[Sample], kept: Path | None) -> Vector:
    """The measures of all screenshots. kept: a file to cache them in."""
    ids = [sample.id for sample in samples]
    known = {"ids": ids, "names": [*measure_names()]}
    if kept is not None and kept.exists():
        with np.load(kept, allow_pickle=False) as saved:
            if any(key not in saved or saved[key].tolist() != its for key, its in known.items()):
                raise ValueError(
                    f"{kept}: measures of other pages than those of {folder}, or other measures"
                )
            rows: Vector = saved["rows"]
            return rows
    rows = np.stack([_measure(folder, page) for page in watched(ids, len(ids), "screenshots")])
    if kept is not None:
        with kept.open("wb") as file:
            np.savez(file, rows=rows, ids=known["ids"], names=known["names"])
    return rows


def _measure(folder: Path, page_id: str) -> Vector:
    path = shot_path(folder, page_id)
    height, width = SIZE
    try:
        return measure(decode_top(path.read_bytes(), width, height))
    except ScreenshotError as error:
        raise ValueError(f"{path}: {error}") from error


def _worth(measured: Measured, head: str, answer: OutOfFold, group_by: str) -> str:
    truth = measured.truth(head)
    known = np.flatnonzero(truth >= 0)
    groups = [measured.samples[page].site(group_by) for page in known.tolist()]
    labels = LABELS[head]
    scores = score(answer.probabilities[known], truth[known], labels, groups, threshold=0.0)
    low, high = scores.accuracy.low, scores.accuracy.high
    return (
        f"{scores.pages} pages, accuracy {scores.accuracy.value:.4f} [{low:.3f}, {high:.3f}], "
        f"macro F1 {scores.macro_f1.value:.3f}, calibration error {scores.calibration_error:.3f}"
    )


def _lines(measured: Measured, answers: Mapping[str, OutOfFold]) -> bytes:
    """The predictions in the format of ``predict``, with the fold of each page."""
    rows = [
        [dict(zip(LABELS[head], row, strict=True)) for row in answers[head].probabilities.tolist()]
        for head in HEADS
    ]
    return b"".join(
        Prediction.of(genre, page_type).to_json(sample.id, fold=str(fold))
        for sample, fold, genre, page_type in zip(
            measured.samples, measured.folds.tolist(), *rows, strict=True
        )
    )

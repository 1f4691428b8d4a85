"""What the network answers for pages of sites it has not seen, fold by fold.

The same folds, of ``samples.grouped_folds``, serve the classifiers that read HTML, so that both
can be compared and fused.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from genre_model.batches import Batches
from genre_model.calibration import fit_temperature, softmax
from genre_model.labels import GENRES, PAGE_TYPES
from genre_model.prediction import Prediction
from genre_model.samples import Sample
from genre_model.targets import Targets
from genre_model.training import Recipe, logits, train
from genre_model.windows import Windows

_log = logging.getLogger("genre_model")

LABELS: Mapping[str, Sequence[str]] = {"genre": GENRES, "page_type": PAGE_TYPES}
Logits = dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Data:
    """The pages of a labelled folder.

    finer: what training changes and scales down. exact: what the network is asked about.
    """

    samples: Sequence[Sample]
    targets: Targets
    finer: Windows
    exact: Windows
    size: tuple[int, int]


def held_out_logits(
    data: Data,
    folds: NDArray[np.int64],
    build: Callable[[], Any],
    recipe: Recipe,
    *,
    folder: Path,
    only: Sequence[int] | None = None,
) -> Logits:
    """Logits of every head for every page, by the network that was trained without its fold.

    folds: a fold for every page; pages of folds that are not done are NaN.
    build: a new network to train. folder: where finished folds are kept; they are not repeated.
    only: the folds to do; by default all.
    """
    result: Logits = {
        head: np.full((len(data.samples), len(names)), np.nan) for head, names in LABELS.items()
    }
    for fold in sorted(set(folds.tolist()) if only is None else only):
        held = np.flatnonzero(folds == fold)
        path = folder / f"fold-{fold}.npz"
        if not path.exists():
            _log.info("fold %d: %d pages held out", fold, len(held))
            answers = _fold_logits(data, np.flatnonzero(folds != fold), held, build, recipe)
            np.savez(path, genre=answers["genre"], page_type=answers["page_type"])
        with np.load(path, allow_pickle=False) as saved:
            for head, rows in result.items():
                rows[held] = saved[head]
    return result


def temperatures(data: Data, held_out: Logits) -> dict[str, float]:
    """By head, the temperature that fits the labelled pages that have logits."""
    return {
        head: fit_temperature(rows, labels)
        for head in LABELS
        for rows, labels in [_known(data, held_out, head, np.ones(len(data.samples), np.bool_))]
    }


def predictions(data: Data, held_out: Logits, folds: NDArray[np.int64]) -> list[Prediction]:
    """Calibrated answers; the temperature for a fold is fitted on the others."""
    scores = {head: np.full_like(rows, np.nan) for head, rows in held_out.items()}
    for fold in sorted(set(folds.tolist())):
        held = folds == fold
        for head, rows in held_out.items():
            temperature = fit_temperature(*_known(data, held_out, head, ~held))
            scores[head][held] = softmax(rows[held], temperature)
    return [
        Prediction.of(
            dict(zip(GENRES, genre, strict=True)), dict(zip(PAGE_TYPES, page_type, strict=True))
        )
        for genre, page_type in zip(
            scores["genre"].tolist(), scores["page_type"].tolist(), strict=True
        )
    ]


def _fold_logits(
    data: Data,
    training: NDArray[np.int64],
    held: NDArray[np.int64],
    build: Callable[[], Any],
    recipe: Recipe,
) -> dict[str, NDArray[np.float32]]:
    model = build()
    train(
        model,
        Batches(
            data.finer, data.targets, training, data.size, batch=recipe.batch, seed=recipe.seed
        ),
        recipe,
    )
    return logits(model, data.exact.of(held), data.size)


def _known(
    data: Data, held_out: Logits, head: str, chosen: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Logits and label numbers of the chosen pages that have both."""
    answers = data.targets.answers[head]
    pages = np.flatnonzero(
        chosen & (answers.sum(axis=1) > 0) & np.isfinite(held_out[head]).all(axis=1)
    )
    return held_out[head][pages], answers[pages].argmax(axis=1)

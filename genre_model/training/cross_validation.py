"""Cross-validation of the network, with folds by site.

The folds of ``folds.grouped_folds`` are the same for the HTML classifiers, so that both can be
compared and combined.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus_commons.durable_files import replacing
from genre_model.calibration import FloatArray, fit_temperature, softmax
from genre_model.folds import NO_FOLD, grouped_folds
from genre_model.labels import HEADS
from genre_model.network.config import NetworkConfig
from genre_model.network.model import save_network, with_views
from genre_model.samples import Sample
from genre_model.training.augmentation import UNCHANGED
from genre_model.training.batches import Batches
from genre_model.training.distillation import Teacher
from genre_model.training.logits import logits
from genre_model.training.recipe import Recipe
from genre_model.training.targets import Targets
from genre_model.training.trainer import train
from genre_model.training.windows import Windows

_log = logging.getLogger("genre_model")

Logits = dict[str, FloatArray]

# For early stopping, one in so many of the training sites is used for validation.
_VALIDATION_PART = 10


@dataclass(frozen=True)
class Data:
    """The pages of a labelled folder.

    finer: the windows for training, which augmentation scales down; synthetic ones come last.
    exact: the windows for prediction.
    folds, sites: of every page; pages with NO_FOLD are trained on, but never predicted.
    teacher: the source of soft labels, for distillation.
    synthetic: the targets of synthetic pages, of which a sample is added to every epoch.
    taught_by: the network to learn from for a held fold, which has not seen that fold either.
    """

    samples: Sequence[Sample]
    targets: Targets
    finer: Windows
    exact: Windows
    folds: NDArray[np.int64]
    sites: Sequence[str]
    config: NetworkConfig
    teacher: Teacher | None = None
    synthetic: Targets | None = None
    taught_by: Callable[[int | None], Any] | None = None

    @property
    def held_folds(self) -> list[int]:
        """The folds that are held out in turn."""
        return sorted(set(self.folds.tolist()) - {NO_FOLD})

    def batches(
        self, recipe: Recipe, chosen: NDArray[np.bool_], held: int | None = None
    ) -> Batches:
        """Training batches of the chosen pages. held: the fold that the network is tested on."""
        targets = self._taught(held)
        if self.synthetic is not None:
            targets = targets.followed_by(self.synthetic, recipe.synthetic_weight)
        return Batches(
            self.finer,
            targets,
            np.flatnonzero(chosen),
            self.config.window,
            batch=recipe.batch,
            seed=recipe.seed,
            others=np.arange(len(self.samples), len(self.finer)),
        )

    def validation(
        self, recipe: Recipe, chosen: NDArray[np.bool_], held: int | None = None
    ) -> Batches:
        """The chosen pages without augmentation or synthetic pages, for validation in training."""
        return Batches(
            self.exact,
            self._taught(held),
            np.flatnonzero(chosen),
            self.config.window,
            batch=recipe.batch,
            augmentation=UNCHANGED,
        )

    def _taught(self, held: int | None) -> Targets:
        if self.teacher is None:
            return self.targets
        return self.teacher.teach(self.targets, self.samples, self.folds, held)


def trained(
    data: Data,
    build: Callable[[], Any],
    recipe: Recipe,
    held: int | None = None,
    **places: Path | None,
) -> tuple[Any, dict[str, list[float]]]:
    """A network trained on the pages outside the fold ``held``, and its history.

    For early stopping, a tenth of their sites is used for validation.

    places: ``folder`` and ``tensorboard`` of ``trainer.train``.
    """
    is_training = np.array([fold != held for fold in data.folds.tolist()], np.bool_)
    validation = None
    if recipe.patience:
        is_validation = _validation_pages(data.sites, is_training, recipe.seed)
        validation = data.validation(recipe, is_validation, held)
        is_training &= ~is_validation
    model = build()
    batches = data.batches(recipe, is_training, held)
    teacher = data.taught_by and data.taught_by(held)
    return model, train(model, batches, recipe, teacher=teacher, validation=validation, **places)


def network_file(folder: Path, held: int | None) -> Path:
    """Where ``train`` keeps the network of a fold, or the final one."""
    return folder / ("network.npz" if held is None else f"fold-{held}-weights.npz")


def held_out_logits(
    data: Data,
    build: Callable[[], Any],
    recipe: Recipe,
    *,
    folder: Path,
    only: Sequence[int] | None = None,
) -> Logits:
    """Logits of every head for every page, from the network that was trained without its fold.

    Pages of folds that are not done are NaN.

    build: makes a new network to train.
    folder: for finished folds and their networks' weights. They are not repeated, so the folder
        must belong to this run alone; see ``run_folder``.
    only: the folds to do; by default all.
    """
    result: Logits = {
        head: np.full((len(data.samples), len(names)), np.nan) for head, names in HEADS.items()
    }
    for fold in data.held_folds if only is None else sorted(set(only)):
        held = np.flatnonzero(data.folds == fold)
        path = folder / f"fold-{fold}.npz"
        if not path.exists():
            _log.info("fold %d: %d pages held out", fold, len(held))
            model, _ = trained(data, build, recipe, fold)
            save_network(network_file(folder, fold), model, data.config)
            viewed = with_views(model, data.config.views)
            answers = logits(viewed, data.exact.of(held), data.config.window)
            with replacing(path) as file:
                np.savez(file, genre=answers["genre"], page_type=answers["page_type"])
        with np.load(path, allow_pickle=False) as saved:
            for head, rows in result.items():
                rows[held] = saved[head]
    return result


def temperatures(data: Data, held_out: Logits) -> dict[str, float]:
    """By head, the temperature fitted on the labelled pages that have logits; 1 without any."""
    everything = np.ones(len(data.samples), np.bool_)
    return {head: _temperature(data, held_out, head, everything) for head in HEADS}


def calibrated(data: Data, held_out: Logits) -> dict[str, FloatArray]:
    """Probabilities; the temperature for a fold is fitted on the other finished folds."""
    scores = {head: np.full_like(rows, np.nan) for head, rows in held_out.items()}
    for fold in data.held_folds:
        held = data.folds == fold
        for head, rows in held_out.items():
            temperature = _temperature(data, held_out, head, ~held)
            scores[head][held] = softmax(rows[held], temperature)
    return scores


def _validation_pages(
    sites: Sequence[str], is_training: NDArray[np.bool_], seed: int
) -> NDArray[np.bool_]:
    """The validation pages: of the training pages, those of a tenth of the sites.

    If there are few sites, those of the smallest; if there is only one, all of them.
    """
    pages = np.flatnonzero(is_training)
    tenths = np.array(
        grouped_folds([sites[page] for page in pages.tolist()], _VALIDATION_PART, seed)
    )
    is_validation = np.zeros_like(is_training)
    is_validation[pages] = tenths == tenths.max()
    return is_validation


def _temperature(data: Data, held_out: Logits, head: str, chosen: NDArray[np.bool_]) -> float:
    """The temperature fitted on the chosen pages with both logits and a label; 1 without any."""
    answers = data.targets.answers[head]
    pages = np.flatnonzero(
        chosen & (answers.sum(axis=1) > 0) & np.isfinite(held_out[head]).all(axis=1)
    )
    if not len(pages):
        return 1.0
    return fit_temperature(held_out[head][pages], answers[pages].argmax(axis=1))

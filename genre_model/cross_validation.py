"""What the network answers for pages of sites it has not seen, fold by fold.

The same folds, of ``samples.grouped_folds``, serve the classifiers that read HTML, so that both
can be compared and fused.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from genre_model.augmentation import UNCHANGED
from genre_model.batches import Batches
from genre_model.calibration import fit_temperature, softmax
from genre_model.labels import GENRES, PAGE_TYPES
from genre_model.network_config import NetworkConfig
from genre_model.prediction import Prediction
from genre_model.samples import Sample, grouped_folds
from genre_model.targets import LABELS, Targets
from genre_model.teacher import Teacher
from genre_model.training import Recipe, logits, train
from genre_model.views import with_views
from genre_model.weights import save_weights
from genre_model.windows import Windows

_log = logging.getLogger("genre_model")

Logits = dict[str, NDArray[np.float64]]

# Of the sites that are learnt from: what is kept aside where training is to be stopped early.
_SHARES = 10


@dataclass(frozen=True)
class Data:
    """The pages of a labelled folder.

    finer: what training changes and scales down; after these pages come those of ``made``.
    exact: what the network is asked about.
    folds, sites: of every page. teacher: whose opinions are learnt beside the labels.
    made: of pages made by construction, which are learnt from and never judged.
    """

    samples: Sequence[Sample]
    targets: Targets
    finer: Windows
    exact: Windows
    folds: NDArray[np.int64]
    sites: Sequence[str]
    config: NetworkConfig
    teacher: Teacher | None = None
    made: Targets | None = None

    def batches(
        self, recipe: Recipe, chosen: NDArray[np.bool_], held: int | None = None
    ) -> Batches:
        """The chosen pages, for a network that is to be judged on the fold ``held``, or on none."""
        targets = self._taught(held)
        if self.made is not None:
            targets = targets.followed_by(self.made, recipe.weight_of_made)
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
        """The chosen pages as they are, and no others, to judge such a network in its training."""
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
    """A network that has learnt from the pages outside the fold ``held``, and its history.

    Where it is to be stopped early, a tenth of their sites is kept aside.
    places: ``folder`` and ``tensorboard`` of ``training.train``.
    """
    learnt = np.array([fold != held for fold in data.folds.tolist()], np.bool_)
    validation = None
    if recipe.patience:
        aside = _aside(data.sites, learnt, recipe.seed)
        validation = data.validation(recipe, aside, held)
        learnt &= ~aside
    model = build()
    batches = data.batches(recipe, learnt, held)
    return model, train(model, batches, recipe, validation=validation, **places)


def held_out_logits(
    data: Data,
    build: Callable[[], Any],
    recipe: Recipe,
    *,
    folder: Path,
    only: Sequence[int] | None = None,
) -> Logits:
    """Logits of every head for every page, by the network that was trained without its fold.

    Pages of folds that are not done are NaN.
    build: a new network to train.
    folder: where finished folds and their networks' weights are kept; they are not repeated, so
    it must be this run's own, see ``run_folder``.
    only: the folds to do; by default all.
    """
    result: Logits = {
        head: np.full((len(data.samples), len(names)), np.nan) for head, names in LABELS.items()
    }
    for fold in sorted(set(data.folds.tolist()) if only is None else only):
        held = np.flatnonzero(data.folds == fold)
        path = folder / f"fold-{fold}.npz"
        if not path.exists():
            _log.info("fold %d: %d pages held out", fold, len(held))
            model, _ = trained(data, build, recipe, fold)
            save_weights(folder / f"fold-{fold}-weights.npz", model, {})
            looking = with_views(model, data.config.views)
            answers = logits(looking, data.exact.of(held), data.config.window)
            np.savez(path, genre=answers["genre"], page_type=answers["page_type"])
        with np.load(path, allow_pickle=False) as saved:
            for head, rows in result.items():
                rows[held] = saved[head]
    return result


def temperatures(data: Data, held_out: Logits) -> dict[str, float]:
    """By head, the temperature that fits the labelled pages that have logits; 1 without any."""
    return {
        head: _temperature(data, held_out, head, np.ones(len(data.samples), np.bool_))
        for head in LABELS
    }


def predictions(data: Data, held_out: Logits) -> list[Prediction]:
    """Calibrated answers; the temperature for a fold is fitted on the others that are done."""
    scores = {head: np.full_like(rows, np.nan) for head, rows in held_out.items()}
    for fold in sorted(set(data.folds.tolist())):
        held = data.folds == fold
        for head, rows in held_out.items():
            temperature = _temperature(data, held_out, head, ~held)
            scores[head][held] = softmax(rows[held], temperature)
    return [
        Prediction.of(
            dict(zip(GENRES, genre, strict=True)), dict(zip(PAGE_TYPES, page_type, strict=True))
        )
        for genre, page_type in zip(
            scores["genre"].tolist(), scores["page_type"].tolist(), strict=True
        )
    ]


def _aside(sites: Sequence[str], learnt: NDArray[np.bool_], seed: int) -> NDArray[np.bool_]:
    """Of the pages that are learnt from, those of a tenth of the sites.

    Of few sites it is the smallest; of a single one all.
    """
    pages = np.flatnonzero(learnt)
    tenths = np.array(grouped_folds([sites[page] for page in pages.tolist()], _SHARES, seed))
    aside = np.zeros_like(learnt)
    aside[pages] = tenths == tenths.max()
    return aside


def _temperature(data: Data, held_out: Logits, head: str, chosen: NDArray[np.bool_]) -> float:
    """Fitted to the chosen pages that have both logits and a label; 1 where there are none."""
    answers = data.targets.answers[head]
    pages = np.flatnonzero(
        chosen & (answers.sum(axis=1) > 0) & np.isfinite(held_out[head]).all(axis=1)
    )
    if not len(pages):
        return 1.0
    return fit_temperature(held_out[head][pages], answers[pages].argmax(axis=1))

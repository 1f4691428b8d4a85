"""Trains trees over layout measures, and cross-validates them by site."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from corpus_commons.boosting.growing import PARAMETERS, objective
from genre_model.calibration import fit_temperature, softmax
from genre_model.html.model import by_label, logits
from genre_model.layout.model import LayoutHead, LayoutModel
from genre_model.training.targets import LABELS, Targets, label_targets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import lightgbm

    from genre_model.calibration import FloatArray, IntArray
    from genre_model.layout.measures import Vector
    from genre_model.training.samples import Sample
    from genre_model.training.teacher import Teacher

HEADS: Final = ("genre", "page_type")


@dataclass(frozen=True, slots=True)
class Recipe:
    """The hyperparameters of one head.

    forests: the number of models with different seeds, whose log probabilities are averaged.
    rounds: of boosting, per forest. leaves: per tree.
    random_thresholds: try one random threshold per measure and split, rather than all.
    weight_of_made: the weight of a synthetic page.
    """

    forests: int
    rounds: int
    leaves: int
    random_thresholds: bool
    weight_of_made: float


_RECIPES: Final = {
    "genre": Recipe(2, 500, 31, random_thresholds=True, weight_of_made=0.6),
    "page_type": Recipe(1, 250, 16, random_thresholds=False, weight_of_made=0.3),
}
_PARAMETERS: Final = PARAMETERS | {"learning_rate": 0.04}
# Less likely labels of a soft target are not trained on.
_LEAST_SHARE = 0.02


@dataclass(frozen=True, eq=False)
class Made:
    """Synthetic pages from ``synthesize``. rows: (pages, measures)."""

    samples: Sequence[Sample]
    rows: Vector


@dataclass(frozen=True, eq=False)
class Measured:
    """The pages of a labelled folder.

    rows: (pages, measures). folds: the fold of every page; a site is in one fold.
    teacher: the source of soft labels, for distillation.
    made: synthetic pages, which are trained on but never predicted.
    """

    samples: Sequence[Sample]
    rows: Vector
    folds: IntArray
    teacher: Teacher | None = None
    made: Made | None = None

    def targets(self, held: int | None) -> Targets:
        """The training targets of trees that will be tested on the fold ``held``, or on none."""
        labels = label_targets(self.samples)
        known = {head: rows.max(axis=1) for head, rows in labels.answers.items()}
        targets = Targets(labels.answers, known)
        if self.teacher is None:
            return targets
        return self.teacher.teach(targets, self.samples, self.folds, held)

    def truth(self, head: str) -> IntArray:
        """Label indices; -1 for a page without a label."""
        answers = label_targets(self.samples).answers[head]
        return np.where(answers.any(axis=1), answers.argmax(axis=1), -1)


@dataclass(frozen=True, eq=False)
class OutOfFold:
    """Out-of-fold predictions.

    probabilities: (pages, labels), calibrated with a temperature fitted on the other folds.
    temperature: fitted on all folds.
    """

    probabilities: FloatArray
    temperature: float


def cross_validated(measured: Measured, head: str, seed: int) -> OutOfFold:
    """The out-of-fold probabilities of every page, labelled or not."""
    answers = np.empty((len(measured.folds), len(LABELS[head])))
    for fold in np.unique(measured.folds).tolist():
        unseen = measured.folds == fold
        forests = fit_forests(measured, head, ~unseen, fold, seed)
        answers[unseen] = np.mean(
            [
                logits(by_label(np.asarray(trees.predict(measured.rows[unseen]))))
                for trees in forests
            ],
            axis=0,
        )
    truth = measured.truth(head)
    known = truth >= 0
    probabilities = np.empty_like(answers)
    for fold in np.unique(measured.folds).tolist():
        unseen = measured.folds == fold
        others = known & ~unseen
        temperature = fit_temperature(answers[others], truth[others])
        probabilities[unseen] = softmax(answers[unseen], temperature)
    return OutOfFold(probabilities, fit_temperature(answers[known], truth[known]))


def fit_model(measured: Measured, unseen: Mapping[str, OutOfFold], seed: int) -> LayoutModel:
    """Both heads, trained on all pages. unseen: their cross-validation, for the temperatures."""
    everything = np.ones(len(measured.folds), np.bool_)
    return LayoutModel(
        *(
            LayoutHead(
                tuple(LABELS[head]),
                tuple(
                    trees.model_to_string()
                    for trees in fit_forests(measured, head, everything, None, seed)
                ),
                unseen[head].temperature,
            )
            for head in HEADS
        )
    )


def fit_forests(
    measured: Measured, head: str, chosen: npt.NDArray[np.bool_], held: int | None, seed: int
) -> list[lightgbm.Booster]:
    """Forests trained on those of the chosen pages that have a target.

    A page with a soft target is repeated for each likely label, weighted by its probability.

    held: the fold on which the forests will be tested.
    """
    import lightgbm  # noqa: PLC0415 - for training only, see corpus_commons.boosting.booster

    recipe = _RECIPES[head]
    targets = measured.targets(held)
    rows, shares = measured.rows, targets.answers[head] * (targets.weights[head] * chosen)[:, None]
    if measured.made is not None:
        answers = label_targets(measured.made.samples).answers[head]
        rows = np.concatenate((rows, measured.made.rows))
        shares = np.concatenate((shares, recipe.weight_of_made * answers))
    pages, labels = np.nonzero(shares > _LEAST_SHARE)
    data = lightgbm.Dataset(rows[pages], labels, weight=shares[pages, labels])
    parameters = _PARAMETERS | objective(shares.shape[1])
    parameters |= {"num_leaves": recipe.leaves, "extra_trees": recipe.random_thresholds}
    return [
        lightgbm.train(parameters | {"seed": seed + number}, data, recipe.rounds)
        for number in range(recipe.forests)
    ]

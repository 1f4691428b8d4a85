"""Trains boosted trees on rows of numbers, and cross-validates them by site.

The pages of HTML and of layout measures are trained on alike: each is a ``TreePages``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from corpus_commons.boosting.growing import PARAMETERS, objective
from genre_model.calibration import FloatArray, IntArray, fit_temperature, softmax
from genre_model.fusion import HeadFusion
from genre_model.labels import HEADS, UNKNOWN
from genre_model.training.words import fit_share, fit_words
from genre_model.trees import TreeHead, TreesModel, Vector
from genre_model.word_model import Words

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TreeRecipe:
    """The hyperparameters of one head.

    rounds: of boosting, per forest. rate: of learning. leaves: per tree.
    forests: the number of models with different seeds, whose log probabilities are averaged.
    random_thresholds: try one random threshold per feature and split, rather than all.
    reads_words: whether there is also a model of the page's words.
    """

    rounds: int
    rate: float
    leaves: int
    forests: int = 1
    random_thresholds: bool = False
    reads_words: bool = False


class Readings(NamedTuple):
    """The input of the trees and of the word model. rows: (pages, features)."""

    rows: Vector
    words: Sequence[Words] = ()

    def of(self, pages: IntArray) -> Readings:
        words = [self.words[page] for page in pages.tolist()] if self.words else ()
        return Readings(self.rows[pages], words)

    def followed_by(self, others: Readings) -> Readings:
        return Readings(np.concatenate((self.rows, others.rows)), [*self.words, *others.words])


class Examples(NamedTuple):
    """Pages to train on; the arrays have one entry per page."""

    readings: Readings
    labels: IntArray
    weights: FloatArray

    def followed_by(self, others: Examples) -> Examples:
        return Examples(
            self.readings.followed_by(others.readings),
            np.concatenate((self.labels, others.labels)),
            np.concatenate((self.weights, others.weights)),
        )


class TreePages(Protocol):
    """Labelled pages.

    features: the names of a row's numbers. recipes: by head.
    copies: the pages in one or several forms, each of which is predicted.
    folds: the fold of every page; a site is in one fold.
    """

    @property
    def features(self) -> tuple[str, ...]: ...

    @property
    def recipes(self) -> Mapping[str, TreeRecipe]: ...

    @property
    def copies(self) -> Sequence[Readings]: ...

    @property
    def folds(self) -> IntArray: ...

    def truth(self, head: str) -> IntArray:
        """For every page, the index of its label, or UNKNOWN."""

    def examples(self, head: str, chosen: Mask, held: int | None) -> Examples:
        """What to train on of the chosen pages. held: the fold that will be predicted."""


@dataclass(frozen=True, eq=False)
class OutOfFold:
    """Out-of-fold predictions of one head.

    probabilities: (copies, pages, labels), calibrated on the other folds.
    share, temperature: the weight of the words and the final temperature, fitted on all folds.
    """

    probabilities: FloatArray
    share: float
    temperature: float


def cross_validated(pages: TreePages, head: str, seed: int) -> OutOfFold:
    """The out-of-fold probabilities of every page, labelled or not."""
    by_trees, by_words = _unseen_opinions(pages, head, seed)
    truth = pages.truth(head)
    known = truth != UNKNOWN

    def calibration(chosen: Mask) -> tuple[float, float]:
        trees, words, labels = by_trees[0, chosen], by_words[0, chosen], truth[chosen]
        share = fit_share(trees, words, labels) if pages.recipes[head].reads_words else 0.0
        return share, fit_temperature(trees + share * words, labels)

    probabilities = np.empty_like(by_trees)
    for fold in np.unique(pages.folds):
        unseen = pages.folds == fold
        share, temperature = calibration(known & ~unseen)
        blended = by_trees[:, unseen] + share * by_words[:, unseen]
        probabilities[:, unseen] = softmax(blended, temperature)
    return OutOfFold(probabilities, *calibration(known))


def fit_trees(
    pages: TreePages, head: str, chosen: Mask, held: int | None, seed: int
) -> tuple[TreeHead, Examples]:
    """Trees trained on the chosen pages, not calibrated, and what they were trained on."""
    import lightgbm  # noqa: PLC0415 - for training only, see corpus_commons.boosting.booster

    recipe, labels = pages.recipes[head], HEADS[head]
    examples = pages.examples(head, chosen, held)
    data = lightgbm.Dataset(examples.readings.rows, examples.labels, weight=examples.weights)
    parameters = PARAMETERS | objective(len(labels))
    parameters |= {"learning_rate": recipe.rate, "num_leaves": recipe.leaves}
    parameters |= {"extra_trees": recipe.random_thresholds}
    forests = (
        lightgbm.train(parameters | {"seed": seed + number}, data, recipe.rounds)
        for number in range(recipe.forests)
    )
    return TreeHead(labels, tuple(forest.model_to_string() for forest in forests)), examples


def fit_head(pages: TreePages, head: str, chosen: Mask, held: int | None, seed: int) -> TreeHead:
    """The same with a word model, if the head reads words."""
    trees, examples = fit_trees(pages, head, chosen, held, seed)
    if not pages.recipes[head].reads_words:
        return trees
    words = fit_words(examples.readings.words, examples.labels, examples.weights, len(trees.labels))
    return replace(trees, words=words)


def fit_model(
    pages: TreePages, unseen: Mapping[str, OutOfFold], seed: int, pool: HeadFusion | None = None
) -> TreesModel:
    """Both heads, trained on all pages. unseen: their cross-validation, for the calibration."""
    everything = np.ones(len(pages.folds), np.bool_)
    genre, page_type = (
        replace(
            fit_head(pages, head, everything, None, seed),
            temperature=unseen[head].temperature,
            share=unseen[head].share,
        )
        for head in HEADS
    )
    return TreesModel(pages.features, genre, page_type, pool)


def _unseen_opinions(pages: TreePages, head: str, seed: int) -> tuple[FloatArray, FloatArray]:
    """Out-of-fold log probabilities by trees and by words, both (copies, pages, labels)."""
    shape = (len(pages.copies), len(pages.folds), len(HEADS[head]))
    by_trees, by_words = np.empty(shape), np.zeros(shape)
    for fold in np.unique(pages.folds).tolist():
        fitted = fit_head(pages, head, pages.folds != fold, fold, seed)
        unseen = np.flatnonzero(pages.folds == fold)
        for copy, readings in enumerate(pages.copies):
            rows, words = readings.of(unseen)
            by_trees[copy, unseen] = fitted.by_trees(rows)
            if fitted.words is not None:
                by_words[copy, unseen] = fitted.words.log_probabilities(words)
    return by_trees, by_words

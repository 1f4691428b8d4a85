"""Trains the word weights and the trees, and makes out-of-fold predictions, with folds by site."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from zlib import crc32

import lightgbm
import numpy as np
import numpy.typing as npt
from scipy.sparse import vstack

from corpus_commons.boosting import Booster
from extraction.labelled import DataError
from extraction.methods.elements.linear import WordWeights
from extraction.methods.elements.logistic import fit_words
from extraction.methods.elements.model import Judge
from extraction.methods.elements.samples import Sample

_log = logging.getLogger(__name__)
Floats = npt.NDArray[np.float64]

FOLDS: Final = 5
_INNER_FOLDS: Final = 2
# The mean length of an English word with its space, to convert characters to words.
_WORD_CHARACTERS: Final = 6
# Chosen by cross-validation on the sets that the shipped model is trained on.
_STRENGTH: Final = 3e-5
_ROUNDS: Final = 160
_TREES: Final = {
    "objective": "binary",
    "learning_rate": 0.08,
    "num_leaves": 31,
    "min_data_in_leaf": 100,
    "lambda_l2": 10.0,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.6,
    "bagging_freq": 1,
    "max_bin": 127,
    "num_threads": 1,
    "deterministic": True,
    "force_row_wise": True,
    "verbose": -1,
}


@dataclass(frozen=True)
class Settings:
    """threshold: of the judges; seed: of the trees; name: for log messages."""

    name: str
    threshold: float
    seed: int


def cross_validated(samples: Sequence[Sample], settings: Settings) -> list[Floats]:
    """For every sample, its out-of-fold probabilities; a group's pages are in one fold."""
    fold_of = [_fold(sample, FOLDS, "outer") for sample in samples]
    found: dict[int, Floats] = {}
    for fold in range(FOLDS):
        _log.info("%s: fold %d of %d", settings.name, fold + 1, FOLDS)
        judge = fit([s for s, of in zip(samples, fold_of, strict=True) if of != fold], settings)
        for i, sample in enumerate(samples):
            if fold_of[i] == fold:
                found[i] = judge.probabilities(
                    sample.rows, sample.ancestry, sample.nodes, sample.words
                )
    return [found[i] for i in range(len(samples))]


def fit(samples: Sequence[Sample], settings: Settings) -> Judge:
    """A judge trained on all samples.

    The trees are trained on out-of-fold word scores, because at prediction time the word weights
    have not seen the page's site either. The judge's own word weights are trained on all pages.
    """
    samples = [sample for sample in samples if (sample.labels >= 0).any()]
    scores: dict[int, Floats] = {}
    for fold in range(_INNER_FOLDS):
        inside = [_fold(sample, _INNER_FOLDS, "inner") == fold for sample in samples]
        seen = [s for s, held in zip(samples, inside, strict=True) if not held]
        weights = _fit_words(seen, settings.name)
        for i, sample in enumerate(samples):
            if inside[i]:
                scores[i] = _scores(weights, sample)
    weights = _fit_words(samples, settings.name)
    table = np.vstack([np.hstack((s.rows, scores[i])) for i, s in enumerate(samples)])
    return Judge(
        weights, _fit_trees(table.astype(np.float32), samples, settings.seed), settings.threshold
    )


def row_weights(sample: Sample) -> Floats:
    """The training weight of every element of a page.

    An element's weight grows with the square root of its length, and a page's with the square root
    of its number of elements: compromises between counting elements and counting text, and between
    counting pages and counting elements.
    """
    words = np.maximum(1.0, sample.lengths / _WORD_CHARACTERS)
    weights = np.where(sample.labels >= 0, np.sqrt(words), 0.0)
    total: float = weights.sum()
    return weights / np.sqrt(total) if total else weights


def _fold(sample: Sample, folds: int, purpose: str) -> int:
    return crc32(f"{purpose} {sample.group}".encode()) % folds


def _fit_words(samples: Sequence[Sample], name: str) -> WordWeights:
    if not samples:
        raise DataError(f"too few sites with labelled {name}: every fold needs labelled pages")
    table = vstack([sample.table for sample in samples], format="csr")
    return fit_words(table, _labels(samples), _weights(samples), _STRENGTH)


def _fit_trees(table: npt.NDArray[np.float32], samples: Sequence[Sample], seed: int) -> Booster:
    weights = _weights(samples)
    used = weights > 0
    parameters = {**_TREES, "seed": seed}
    data = lightgbm.Dataset(
        table[used],
        _labels(samples)[used],
        weight=weights[used] / weights[used].mean(),
        params=parameters,
    )
    return Booster(lightgbm.train(parameters, data, _ROUNDS).model_to_string())


def _scores(weights: WordWeights, sample: Sample) -> Floats:
    return weights.scores(sample.ancestry, sample.nodes, sample.words)


def _labels(samples: Sequence[Sample]) -> Floats:
    return np.concatenate([np.maximum(sample.labels, 0) for sample in samples]).astype(np.float64)


def _weights(samples: Sequence[Sample]) -> Floats:
    return np.concatenate([row_weights(sample) for sample in samples])

"""Fits the weights of a fusion on out-of-fold predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from genre_model.calibration import FloatArray, IntArray, clipped_log, log_loss, softmax
from genre_model.fusion import LEAST_FUSED, HeadFusion

# Keeps the fit finite if a classifier makes no mistakes; otherwise too weak to matter.
_RIDGE = 1e-3


def fit_fusion(
    probabilities: Mapping[str, npt.ArrayLike], labels: npt.ArrayLike, names: Sequence[str]
) -> HeadFusion:
    """The pool of one head with the least log loss.

    probabilities: by classifier, (samples, classes), for the same samples. They must be out of
        fold: a classifier is overconfident on its training data, which would give wrong weights.
    labels: (samples,), indices into ``names``, the classes.
    Raises ValueError for arrays whose shapes do not match.
    """
    truth = np.asarray(labels, dtype=np.int64)
    logs = {name: clipped_log(its, LEAST_FUSED) for name, its in probabilities.items()}
    shape = (len(truth), len(names))
    if not logs or not len(truth) or any(its.shape != shape for its in logs.values()):
        shapes = {name: its.shape for name, its in logs.items()}
        raise ValueError(f"scores of shapes {shapes}; every classifier's must have shape {shape}")
    stacked = np.stack(list(logs.values()))
    start = np.concatenate([np.ones(len(logs)), np.zeros(len(names))])
    found = minimize(
        lambda weights: _objective(weights, start, stacked, truth),
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, None)] * len(logs) + [(None, None)] * len(names),
    )
    numbers = found.x.tolist()
    weights = dict(zip(logs, numbers[: len(logs)], strict=True))
    return HeadFusion(tuple(names), weights, tuple(numbers[len(logs) :]))


def cross_fused(
    probabilities: Mapping[str, FloatArray],
    labels: IntArray,
    names: Sequence[str],
    folds: npt.ArrayLike,
    asked: Mapping[str, FloatArray] | None = None,
) -> FloatArray:
    """Pooled probabilities of every sample, with weights fitted on the other folds.

    labels: negative if unknown; such a sample gets probabilities but is not used for fitting.
    asked: the probabilities to pool; by default those that the weights are fitted on.
    """
    where = np.asarray(folds)
    fused = np.empty((len(labels), len(names)))
    for fold in np.unique(where):
        out, rest = where == fold, (where != fold) & (labels >= 0)
        head = fit_fusion(
            {name: its[rest] for name, its in probabilities.items()}, labels[rest], names
        )
        fused[out] = head.pool({name: its[out] for name, its in (asked or probabilities).items()})
    return fused


def mean(probabilities: Mapping[str, npt.ArrayLike]) -> FloatArray:
    """The linear pool with equal weights, for comparison."""
    pooled: FloatArray = np.mean(
        [np.asarray(its, np.float64) for its in probabilities.values()], axis=0
    )
    return pooled


def _objective(
    weights: FloatArray, start: FloatArray, logs: FloatArray, truth: IntArray
) -> tuple[float, FloatArray]:
    """The log loss with a ridge penalty towards the product of experts, and its gradient.

    logs: (classifiers, samples, classes).
    """
    count = len(logs)
    pooled = softmax(np.tensordot(weights[:count], logs, axes=1) + weights[count:])
    away = weights - start
    errors = pooled.copy()
    errors[np.arange(len(truth)), truth] -= 1
    errors /= len(truth)
    by_classifier = np.tensordot(logs, errors, axes=2)
    gradient = np.concatenate([by_classifier, errors.sum(0)])
    return log_loss(pooled, truth) + _RIDGE * float(away @ away), gradient + 2 * _RIDGE * away

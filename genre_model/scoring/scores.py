"""The scores of one head, with confidence intervals.

Intervals are percentile bootstrap intervals (Efron and Tibshirani, An Introduction to the
Bootstrap, 1993, chapter 13) that resample groups of pages: pages of one site are similar, so that
resampling single pages would make the intervals too narrow (chapter 8).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from genre_model.calibration import (
    FloatArray,
    IntArray,
    expected_calibration_error,
    log_loss,
)

RESAMPLES = 2000
CONFIDENCE = 0.95

# The most entries of resampled confusion matrices in memory at a time.
_ENTRIES_AT_ONCE = 8_000_000


class Estimate(NamedTuple):
    """A score and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ClassScores:
    """One class. support: its number of pages. precision: 0 if the class is never predicted."""

    precision: Estimate
    recall: Estimate
    f1: Estimate
    support: int


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """One head on labelled pages.

    labels: the classes, in the order of ``confusion``'s rows (truth) and columns (prediction).
    macro_f1: the mean F1 of the classes with at least one page.
    threshold: a prediction with a lower best score is "unsure".
    coverage: the share of pages with a prediction that is not unsure.
    sure_accuracy: the accuracy among those, NaN if there are none; ``accuracy`` counts the best
        label of every page, unsure or not.
    """

    labels: tuple[str, ...]
    pages: int
    groups: int
    confusion: IntArray
    accuracy: Estimate
    macro_f1: Estimate
    classes: dict[str, ClassScores]
    calibration_error: float
    log_loss: float
    threshold: float
    coverage: float
    sure_accuracy: float


def score(
    probabilities: FloatArray,
    truth: IntArray,
    labels: Sequence[str],
    groups: Sequence[Hashable] | None = None,
    *,
    threshold: float,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Scores:
    """The scores of one head.

    probabilities: (pages, labels). truth: (pages,), indices into ``labels``.
    groups: the unit of resampling, one entry per page; by default every page by itself.
    Raises ValueError if there are no pages.
    """
    if not len(truth) or probabilities.shape != (len(truth), len(labels)):
        raise ValueError(f"{probabilities.shape} scores for {len(truth)} pages")
    answers = probabilities.argmax(axis=1).astype(np.int64)
    members = _indices(range(len(truth)) if groups is None else groups)
    by_group = _confusions(truth, answers, members, len(labels))
    confusion = by_group.sum(axis=0)
    figures = figures_of(confusion)
    low, high = _intervals(by_group, resamples, seed)
    estimates = [Estimate(*map(float, ends)) for ends in zip(figures, low, high, strict=True)]
    count = len(labels)
    precisions, recalls, f1s = (estimates[2 + i * count : 2 + (i + 1) * count] for i in range(3))
    sure = probabilities.max(axis=1) >= threshold
    return Scores(
        labels=tuple(labels),
        pages=len(truth),
        groups=len(by_group),
        confusion=confusion,
        accuracy=estimates[0],
        macro_f1=estimates[1],
        classes={
            label: ClassScores(precisions[i], recalls[i], f1s[i], int(confusion[i].sum()))
            for i, label in enumerate(labels)
        },
        calibration_error=expected_calibration_error(probabilities, truth),
        log_loss=log_loss(np.maximum(probabilities, 1e-6), truth),
        threshold=threshold,
        coverage=float(sure.mean()),
        sure_accuracy=float((answers == truth)[sure].mean()) if sure.any() else float("nan"),
    )


def figures_of(confusion: FloatArray | IntArray) -> FloatArray:
    """Accuracy, macro F1, then precision, recall and F1 of every class, from confusion matrices.

    confusion: (..., classes, classes), true classes in rows. Returns (..., 2 + 3 * classes).
    A class without pages has a recall and an F1 of NaN and does not count for macro F1; a class
    that is never predicted has a precision of 0, or NaN if it has no pages either.

    >>> figures_of(np.array([[3, 1], [0, 4]])).round(2).tolist()
    [0.88, 0.87, 1.0, 0.8, 0.75, 1.0, 0.86, 0.89]
    """
    counts = np.asarray(confusion, dtype=np.float64)
    right = np.diagonal(counts, axis1=-2, axis2=-1)
    support, answered = counts.sum(axis=-1), counts.sum(axis=-2)
    with np.errstate(invalid="ignore", divide="ignore"):
        accuracy = right.sum(axis=-1) / support.sum(axis=-1)
        recall = right / support
        precision = np.where((answered == 0) & (support > 0), 0.0, right / answered)
        f1 = np.where(support > 0, 2 * right / (support + answered), np.nan)
        macro = np.nansum(f1, axis=-1) / (support > 0).sum(axis=-1)
    overall = np.stack([accuracy, macro], axis=-1)
    return np.concatenate([overall, precision, recall, f1], axis=-1)


def _indices(groups: Sequence[Hashable]) -> IntArray:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(group, len(numbers)) for group in groups], dtype=np.int64)


def _confusions(truth: IntArray, answers: IntArray, members: IntArray, count: int) -> IntArray:
    """A confusion matrix for every group: (groups, classes, classes)."""
    groups = int(members.max()) + 1
    cells = (members * count + truth) * count + answers
    return np.bincount(cells, minlength=groups * count * count).reshape(groups, count, count)


def _intervals(by_group: IntArray, resamples: int, seed: int) -> FloatArray:
    """The lower and the upper ends of every figure: (2, figures)."""
    groups, count, _ = by_group.shape
    flat = by_group.reshape(groups, -1).astype(np.float64)
    random = np.random.default_rng(seed)
    step = max(1, _ENTRIES_AT_ONCE // max(groups, count * count))
    drawn = []
    for begin in range(0, resamples, step):
        size = min(step, resamples - begin)
        times = random.multinomial(groups, np.full(groups, 1 / groups), size=size)
        drawn.append(figures_of((times @ flat).reshape(size, count, count)))
    tail = (1 - CONFIDENCE) / 2
    figures = np.concatenate(drawn)
    # A class may be missing in a resample; one that is missing in all of them has no interval.
    known = ~np.isnan(figures).all(axis=0)
    ends = np.full((2, figures.shape[1]), np.nan)
    ends[:, known] = np.nanquantile(figures[:, known], [tail, 1 - tail], axis=0)
    return ends

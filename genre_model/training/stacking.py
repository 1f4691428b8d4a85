"""Fits the weights of a stacking on out-of-fold predictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from genre_model.calibration import FloatArray, IntArray, clipped_log, softmax
from genre_model.stacking import LEAST_STACKED, Opinion, Stacking

# Draws every weight towards the HTML classifier's own answer, which judges rare kinds almost alone:
# so far that what is learnt from one collection of pages holds on another.
_RIDGE: Final = 0.1


@dataclass(frozen=True, eq=False)
class Opinions:
    """What both say of labelled pages, out of fold, as for ``fit_fusion``.

    html, extractor: (pages, labels of each). truth: (pages,), indices into ``labels``.
    weights: how much a page counts. labels, extractor_labels: the page types of the columns.
    """

    html: FloatArray
    extractor: FloatArray
    truth: IntArray
    weights: FloatArray
    labels: Sequence[str]
    extractor_labels: Sequence[str]

    def __getitem__(self, chosen: npt.NDArray[np.bool_]) -> Opinions:
        """The opinions on the pages of a mask."""
        columns = ("html", "extractor", "truth", "weights")
        return replace(self, **{name: getattr(self, name)[chosen] for name in columns})


def fit_stacking(opinions: Opinions) -> Stacking:
    """The stacking with the least log loss."""
    logs = np.hstack(
        [
            clipped_log(opinions.html, LEAST_STACKED),
            clipped_log(opinions.extractor, LEAST_STACKED),
            np.ones((len(opinions.truth), 1)),
        ]
    )
    shares = opinions.weights / opinions.weights.sum()
    count = len(opinions.labels)
    start = np.eye(logs.shape[1], count)
    found = minimize(
        lambda flat: _objective(flat.reshape(start.shape), start, logs, opinions.truth, shares),
        start.ravel(),
        jac=True,
        method="L-BFGS-B",
    )
    rows = [tuple(row) for row in found.x.reshape(start.shape).tolist()]
    return Stacking(
        Opinion(tuple(opinions.labels), tuple(rows[:count])),
        Opinion(tuple(opinions.extractor_labels), tuple(rows[count:-1])),
        rows[-1],
    )


def _objective(
    matrix: FloatArray, start: FloatArray, logs: FloatArray, truth: IntArray, shares: FloatArray
) -> tuple[float, FloatArray]:
    """The mean log loss with a ridge penalty (not for the bias), and its gradient.

    matrix, start: (opinions, labels); the last row is the bias. logs: (pages, opinions).
    shares: of every page in the mean.
    """
    pages = np.arange(len(truth))
    pooled = softmax(logs @ matrix)
    loss = -float(shares @ np.log(np.maximum(pooled[pages, truth], np.finfo(np.float64).tiny)))
    away = matrix - start
    away[-1] = 0
    errors = pooled.copy()
    errors[pages, truth] -= 1
    gradient = logs.T @ (errors * shares[:, None]) + 2 * _RIDGE * away
    return loss + _RIDGE * float((away**2).sum()), gradient.ravel()

"""Trains the word model on labelled pages, and fits its weight relative to the trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from genre_model.calibration import FloatArray, fit_temperature, log_loss, softmax
from genre_model.word_model import BUCKETS, WordModel, Words

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Labels = npt.NDArray[np.int64]

# Words on fewer pages are left out: they would identify a site rather than a kind of page.
_LEAST_PAGES = 5
# The inverse strength of regularisation.
_C = 20.0
_MAX_ITERATIONS = 200
_TOLERANCE = 1e-3
# The log probability of labels that no page has.
_NEVER = -30.0
_SHARES = np.arange(0, 1.51, 0.1)


def fit_words(pages: Sequence[Words], labels: Labels, weights: FloatArray, count: int) -> WordModel:
    """Logistic regression on the words that are on at least five pages.

    Without such words, or with a single label, there are only intercepts: the shares of the labels.

    labels, weights: one entry per page. count: the number of labels.
    """
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - for training only

    rows = _sparse(pages)
    columns = np.flatnonzero(np.bincount(rows.indices, minlength=BUCKETS) >= _LEAST_PAGES)
    coefficients = np.zeros((BUCKETS, count))
    intercepts = np.full(count, _NEVER)
    present = np.unique(labels)
    if not len(columns) or len(present) == 1:
        intercepts[present] = np.log(np.bincount(labels, weights)[present] / weights.sum())
        return WordModel.of(coefficients, intercepts)
    regression = LogisticRegression(C=_C, max_iter=_MAX_ITERATIONS, tol=_TOLERANCE)
    regression.fit(rows[:, columns], labels, weights)
    fitted, intercept = regression.coef_, regression.intercept_
    if len(fitted) == 1:  # for two labels, only the second has coefficients
        fitted, intercept = np.stack((-fitted[0], fitted[0])) / 2, np.array([-0.5, 0.5]) * intercept
    coefficients[np.ix_(columns, regression.classes_)] = fitted.T
    intercepts[regression.classes_] = intercept
    return WordModel.of(coefficients, intercepts)


def fit_share(of_trees: FloatArray, of_words: FloatArray, labels: Labels) -> float:
    """The weight of the words' log probabilities, relative to the trees', with the least log loss.

    of_trees, of_words: out-of-fold log probabilities, (pages, labels). For each candidate weight,
    the best temperature is used.
    """

    def loss(share: float) -> float:
        blended = of_trees + share * of_words
        return log_loss(softmax(blended, fit_temperature(blended, labels)), labels)

    return float(round(min(_SHARES, key=loss), 1))


def _sparse(pages: Sequence[Words]) -> csr_matrix:
    from scipy.sparse import csr_matrix  # noqa: PLC0415 - for training only

    ends = np.cumsum([0, *(len(page.buckets) for page in pages)])
    values = np.concatenate([page.values for page in pages])
    buckets = np.concatenate([page.buckets for page in pages])
    return csr_matrix((values, buckets, ends), shape=(len(pages), BUCKETS))

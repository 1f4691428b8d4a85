"""The word model fitted to labelled pages, and how far to trust it beside the trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from genre_model.calibration import fit_temperature, log_loss, softmax
from genre_model.html.word_model import WordModel
from genre_model.html.words import BUCKETS, Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scipy.sparse import csr_matrix

    from genre_model.calibration import FloatArray

Labels = npt.NDArray[np.int64]

# Words of fewer pages say more of a site than of a kind of page.
_LEAST_PAGES = 5
# The inverse strength of regularisation.
_C = 20.0
_MAX_ITERATIONS = 200
_TOLERANCE = 1e-3
# Of labels that no page has.
_NEVER = -30.0
_SHARES = np.arange(0, 1.51, 0.1)


def fit_words(pages: Sequence[Words], labels: Labels, weights: FloatArray, count: int) -> WordModel:
    """Logistic regression on the words of pages that are on five at least.

    Without such words, and of a single label, there are no coefficients, only shares of pages.
    labels, weights: one entry a page. count: of labels.
    """
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - for training alone

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
    if len(fitted) == 1:  # of two labels, only the second has coefficients
        fitted, intercept = np.stack((-fitted[0], fitted[0])) / 2, np.array([-0.5, 0.5]) * intercept
    coefficients[np.ix_(columns, regression.classes_)] = fitted.T
    intercepts[regression.classes_] = intercept
    return WordModel.of(coefficients, intercepts)


def fit_share(of_trees: FloatArray, of_words: FloatArray, labels: Labels) -> float:
    """The weight of the words' log probabilities, the trees' having 1, with the least log loss.

    of_trees, of_words: log probabilities of unseen pages, (pages, labels). Each weight is judged
    with the temperature that suits it.
    """

    def loss(share: float) -> float:
        blended = of_trees + share * of_words
        return log_loss(softmax(blended, fit_temperature(blended, labels)), labels)

    return float(round(min(_SHARES, key=loss), 1))


def _sparse(pages: Sequence[Words]) -> csr_matrix:
    from scipy.sparse import csr_matrix  # noqa: PLC0415 - for training alone

    ends = np.cumsum([0, *(len(page.buckets) for page in pages)])
    values = np.concatenate([page.values for page in pages])
    buckets = np.concatenate([page.buckets for page in pages])
    return csr_matrix((values, buckets, ends), shape=(len(pages), BUCKETS))

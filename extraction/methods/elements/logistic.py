"""Logistic regression over hashed words, for training."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, hstack

from corpus_commons.markup.tree import IntArray
from extraction.methods.elements.ancestry import BUCKETS, Ancestry
from extraction.methods.elements.linear import TextWords, WordWeights

Floats = npt.NDArray[np.float64]


def word_table(ancestry: Ancestry, nodes: IntArray, words: TextWords) -> csr_matrix:
    """Word counts of the path, of the element itself and of its text, side by side."""
    offsets = np.searchsorted(ancestry.owners, np.arange(len(ancestry.parents) + 1))
    owners = [np.zeros(0, dtype=np.int64)]
    buckets = [np.zeros(0, dtype=np.int64)]
    here, rows = nodes.astype(np.int64), np.arange(len(nodes))
    while len(here):
        row, bucket = _expanded(rows, here, offsets, ancestry.buckets)
        owners.append(row)
        buckets.append(bucket)
        here = ancestry.parents[here].astype(np.int64)
        rows, here = rows[here >= 0], here[here >= 0]
    return hstack(
        (
            _counts(np.concatenate(owners), np.concatenate(buckets), len(nodes)),
            _counts(
                *_expanded(
                    np.arange(len(nodes)), nodes.astype(np.int64), offsets, ancestry.buckets
                ),
                len(nodes),
            ),
            csr_matrix((words.values, (words.owners, words.buckets)), (len(nodes), BUCKETS)),
        ),
        format="csr",
        dtype=np.float32,
    )


def fit_words(table: csr_matrix, labels: Floats, weights: Floats, strength: float) -> WordWeights:
    """Weights that minimise the weighted log loss plus ``strength / 2`` times their squared norm.

    table: as from word_table; labels: 0 or 1 per row; weights: of the rows.
    A bucket that is in no row gets the weight 0.
    """
    width = table.shape[1]
    seen = np.flatnonzero(table.getnnz(axis=0))
    table = table[:, seen]
    transposed = table.T.tocsr()
    weights = weights / weights.sum()

    def loss(parameters: Floats) -> tuple[float, Floats]:
        scores = table @ parameters[:-1] + parameters[-1]
        errors = weights * (1.0 / (1.0 + np.exp(-scores)) - labels)
        value = weights @ (np.logaddexp(0.0, scores) - labels * scores)
        penalty = strength * parameters
        penalty[-1] = 0.0
        gradient = np.append(transposed @ errors, errors.sum()) + penalty
        return float(value + 0.5 * penalty @ parameters), gradient

    found = np.zeros(width)
    found[seen] = minimize(
        loss,
        np.zeros(len(seen) + 1),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 60},
    ).x[:-1]
    return WordWeights(*(part.astype(np.float32) for part in np.split(found, 3)))


def _expanded(
    rows: npt.NDArray[np.int64],
    nodes: npt.NDArray[np.int64],
    offsets: npt.NDArray[np.int64],
    buckets: IntArray,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Repeat every row for each bucket of its node; returns the rows and the buckets."""
    counts = offsets[nodes + 1] - offsets[nodes]
    starts = np.repeat(offsets[nodes] - np.cumsum(counts) + counts, counts)
    return np.repeat(rows, counts), buckets[starts + np.arange(len(starts))].astype(np.int64)


def _counts(rows: npt.NDArray[np.int64], buckets: npt.NDArray[np.int64], height: int) -> csr_matrix:
    return csr_matrix((np.ones(len(rows)), (rows, buckets)), (height, BUCKETS))

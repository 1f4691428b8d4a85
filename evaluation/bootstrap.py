"""Confidence intervals of means over pages: the percentile bootstrap (Efron, 1979)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

RESAMPLES = 2000
CONFIDENCE = 0.95

# The most draws at a time, to limit memory for large data sets.
_DRAWS_AT_ONCE = 4_000_000


def mean_intervals(
    values: npt.NDArray[np.float64], *, resamples: int = RESAMPLES
) -> npt.NDArray[np.float64]:
    """The 95 % interval of each column's mean over the rows.

    values: pages × columns. All columns use the same resamples of pages.
    Returns 2 × columns, the lower and the upper ends; NaN without pages.
    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.

    >>> mean_intervals(np.array([[0.5], [0.5], [0.5]])).T
    array([[0.5, 0.5]])
    """
    pages, columns = values.shape
    if pages == 0:
        return np.full((2, columns), np.nan)
    random = np.random.default_rng(0)
    means = np.empty((resamples, columns))
    step = max(1, _DRAWS_AT_ONCE // pages)
    for begin in range(0, resamples, step):
        count = min(step, resamples - begin)
        draws = random.integers(pages, size=(count, pages))
        # With offsets, a single bincount counts the draws of all resamples.
        offsets = np.arange(count)[:, None] * pages
        times = np.bincount((draws + offsets).ravel(), minlength=count * pages)
        means[begin : begin + count] = times.reshape(count, pages) @ values / pages
    tail = (1 - CONFIDENCE) / 2
    interval: npt.NDArray[np.float64] = np.quantile(means, [tail, 1 - tail], axis=0)
    return interval

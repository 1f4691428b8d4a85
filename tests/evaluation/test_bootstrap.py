"""Bootstrap intervals of means over pages."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evaluation.bootstrap import mean_intervals


@given(
    arrays(np.float64, st.tuples(st.integers(1, 30), st.integers(1, 3)), elements=st.floats(0, 1))
)
def test_an_interval_lies_within_the_values_and_is_the_same_each_time(
    values: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> None:
    low, high = mean_intervals(values, resamples=50)
    slack = 1e-12
    assert (values.min(axis=0) - slack <= low).all()
    assert (low <= high).all()
    assert (high <= values.max(axis=0) + slack).all()
    assert np.array_equal([low, high], mean_intervals(values, resamples=50))


def test_intervals_of_many_pages_are_those_of_the_normal_distribution() -> None:
    values = np.random.default_rng(7).random((2000, 1))
    low, high = mean_intervals(values)[:, 0]
    error = 1.96 * values.std() / np.sqrt(2000)
    assert abs(low - (values.mean() - error)) < 0.1 * error
    assert abs(high - (values.mean() + error)) < 0.1 * error


def test_about_95_of_100_intervals_hold_the_true_mean() -> None:
    random = np.random.default_rng(1)
    samples = random.beta(5, 2, size=(60, 400))
    low, high = mean_intervals(samples)
    assert 0.90 <= np.mean((low <= 5 / 7) & (high >= 5 / 7)) <= 0.98


def test_columns_are_independent_of_each_other() -> None:
    values = np.random.default_rng(3).random((40, 3))
    together = mean_intervals(values)
    alone = [mean_intervals(values[:, [column]])[:, 0] for column in range(3)]
    assert np.allclose(together, np.transpose(alone))


def test_no_pages_have_no_interval() -> None:
    assert np.isnan(mean_intervals(np.zeros((0, 2)))).all()

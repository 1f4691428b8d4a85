"""The learning rate by step, which PyTorch is given as numbers."""

from __future__ import annotations

import pytest

from genre_model.network.tensorflow_runtime import tensorflow
from genre_model.training.learning_rate import rates, schedule

PEAK = 3e-3


def test_it_grows_over_a_twentieth_of_the_steps_and_then_falls_to_0() -> None:
    found = list(rates(PEAK, 200))
    assert found[0] == pytest.approx(PEAK / 100)
    assert max(found) == found[10] == PEAK
    assert found == sorted(found[:11]) + sorted(found[11:], reverse=True)
    assert found[-1] < PEAK / 1000


@pytest.mark.parametrize("steps", [1, 2, 19, 20, 41, 200])
def test_pytorch_has_the_rates_of_keras(steps: int) -> None:
    tensorflow()
    by_keras = schedule(PEAK, steps)
    assert [float(by_keras(step)) for step in range(steps)] == pytest.approx(
        list(rates(PEAK, steps)), abs=1e-6 * PEAK
    )

"""PyTorch's form of our networks. Skipped without PyTorch: `pip install torch`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from genre_model.network.config import NetworkConfig  # noqa: E402
from genre_model.network.model import network  # noqa: E402
from genre_model.network.tensorflow_runtime import tensorflow  # noqa: E402
from genre_model.training.objective import LAST  # noqa: E402
from genre_model.training.pretraining import with_maps  # noqa: E402
from genre_model.training.torch_twin import TorchTwin  # noqa: E402

SIZE = (96, 64)


@pytest.fixture(scope="module", params=["resnet_v2_26", "efficientnet_lite0"])
def model(request: pytest.FixtureRequest) -> object:
    """With statistics and offsets that are not those of a new network."""
    tensorflow()
    made = with_maps(network(NetworkConfig(request.param, SIZE)))
    rng = np.random.default_rng(0)
    for variable in made.weights:
        if variable.name in {"moving_mean", "moving_variance", "beta", "bias"}:
            variable.assign(rng.uniform(0.5, 1.5, variable.shape))
    return made


def test_it_says_the_same(model: object) -> None:
    page = np.random.default_rng(1).integers(0, 256, (2, *SIZE, 3)).astype(np.float32)
    expected = model.predict_on_batch(page)
    with torch.no_grad():
        found = TorchTwin(model, (LAST,)).eval()(torch.from_numpy(page))
    assert {*found} == {*expected, LAST}
    for name, rows in expected.items():
        assert np.allclose(found[name].numpy(), rows, rtol=1e-3, atol=1e-3)


def test_weights_go_there_and_back(model: object) -> None:
    before = [variable.numpy().copy() for variable in model.weights]
    twin = TorchTwin(model)
    twin.give_back({name: 2 * its for name, its in twin.trained().items()})
    for variable, was in zip(model.weights, before, strict=True):
        assert np.allclose(variable.numpy(), 2 * was if variable.trainable else was)
    twin.give_back({})
    assert all((its.numpy() == was).all() for its, was in zip(model.weights, before, strict=True))


def test_what_is_frozen_is_not_trained(model: object) -> None:
    model.trainable = False
    try:
        assert not TorchTwin(model).trained()
    finally:
        model.trainable = True


def test_training_as_on_a_gpu_lowers_the_loss_with_and_without_a_teacher() -> None:
    """Keras' backend is chosen once in a process, so it is another one that trains."""
    script = Path(__file__).with_name("torch_fit.py")
    run = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, script],
        env={**os.environ, "KERAS_BACKEND": "torch", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    (alone, right), (taught, _) = (map(float, line.split()) for line in run.stdout.splitlines())
    assert alone < 0.5
    assert taught < 0.7
    assert right > 0.9

"""The losses in PyTorch are those of Keras. Skipped without PyTorch: `pip install torch`."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from genre_model.labels import HEADS  # noqa: E402
from genre_model.network.tensorflow_runtime import tensorflow  # noqa: E402
from genre_model.training import objective, torch_objective  # noqa: E402
from genre_model.training.objective import LAST  # noqa: E402
from genre_model.training.pretraining import LAYOUT  # noqa: E402

PAGES = 4
MAPS = (PAGES, 3, 2, 5)


def numbers(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def logits(seed: int) -> dict[str, np.ndarray]:
    return {head: numbers(seed, PAGES, len(names)) for head, names in HEADS.items()}


def in_torch(arrays: dict[str, np.ndarray]) -> dict[str, object]:
    """Feature maps with their channels first, as in a ``TorchTwin``."""
    return {
        name: torch.from_numpy(np.moveaxis(its, -1, 1) if name == LAST else its)
        for name, its in arrays.items()
    }


def test_against_targets() -> None:
    """Pages without a label weigh 0; the maps of pretraining have one weight a page, too."""
    tensorflow()
    outputs = {**logits(1), LAYOUT: numbers(2, *MAPS)}
    targets = {
        **{head: np.eye(rows.shape[1])[[0, 1, 1, 0]] for head, rows in logits(1).items()},
        LAYOUT: np.random.default_rng(3).random(MAPS),
    }
    targets = {name: its.astype(np.float32) for name, its in targets.items()}
    weights = {name: np.array([1, 0, 2, 0.5], np.float32) for name in outputs}
    expected = sum(
        float(objective.loss_of(name, 0.1)(targets[name], its, weights[name]))
        for name, its in outputs.items()
    )
    found = torch_objective.target_loss(*map(in_torch, (outputs, targets, weights)), 0.1)
    assert float(found) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("heads", [HEADS, ["genre"], []])
def test_against_a_teacher(heads: list[str]) -> None:
    """Also one without all heads."""
    tensorflow()
    taught = {head: logits(1)[head] for head in heads} | {LAST: numbers(2, *MAPS)}
    outputs, regressed = logits(3), {LAST: numbers(4, *MAPS)}
    expected = float(objective.distillation_loss(taught, outputs, regressed[LAST]))
    found = torch_objective.distillation_loss(
        in_torch(taught), in_torch(outputs), in_torch(regressed)[LAST]
    )
    assert float(found) == pytest.approx(expected, rel=1e-5)

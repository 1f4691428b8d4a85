"""Learning from another network that sees the same pixels."""

from __future__ import annotations

from pathlib import Path

import keras
import numpy as np
import pytest
from tiny_training import CONFIG, PAGES, SIZE, eagerly

from genre_model.network.config import NetworkConfig
from genre_model.network.lite0_checkpoint import bundled_weights, import_lite0
from genre_model.network.model import network, save_network
from genre_model.samples import read_samples
from genre_model.training.augmentation import UNCHANGED
from genre_model.training.batches import Batches
from genre_model.training.logits import logits
from genre_model.training.objective import LAST, Objective, read_teacher_network
from genre_model.training.recipe import Recipe
from genre_model.training.targets import Targets, label_targets
from genre_model.training.trainer import train
from genre_model.training.windows import Windows, read_windows

pytestmark = pytest.mark.usefixtures("tiny")


@pytest.fixture(scope="module")
def windows(folder: Path) -> Windows:
    return read_windows(folder, [sample.id for sample in read_samples(folder)], SIZE, finer=1.0)


@pytest.fixture(scope="module")
def batches(folder: Path, windows: Windows) -> Batches:
    """Without any label, so that everything is learned from the teacher."""
    targets = label_targets(read_samples(folder))
    nothing = {head: np.zeros_like(its) for head, its in targets.weights.items()}
    unlabelled = Targets(targets.answers, nothing)
    return Batches(windows, unlabelled, np.arange(PAGES), SIZE, batch=8, augmentation=UNCHANGED)


@eagerly()
def test_a_network_learns_what_its_teacher_says(batches: Batches, windows: Windows) -> None:
    """Which is not what it said before. And the teacher stays as it is."""
    keras.utils.set_random_seed(1)
    teacher, student = network(CONFIG), network(CONFIG)
    said = logits(student, windows, SIZE)["genre"].argmax(axis=1)
    other = 1 - said[0]
    assert (said != other).all()
    teacher.get_layer("genre").bias.assign([-6.0, 6.0] if other else [6.0, -6.0])
    before = [its.numpy().copy() for its in teacher.weights]
    recipe = Recipe(epochs=3, rate=1e-2, decay=0.5, averaging=0.0)
    train(student, batches, recipe, teacher=teacher)
    assert all((its.numpy() == was).all() for its, was in zip(teacher.weights, before, strict=True))
    assert (logits(student, windows, SIZE)["genre"].argmax(axis=1) == other).all()


def test_the_teacher_takes_no_part_in_validation(batches: Batches) -> None:
    objective = Objective(network(CONFIG), SIZE, network(CONFIG))
    inputs = batches[0][0]
    outputs = objective(inputs, training=False)
    assert sorted(outputs) == ["genre", "page_type"]
    assert not objective.losses
    objective(inputs, training=True)
    assert len(objective.losses) == 1


class TestReadTeacherNetwork:
    def test_a_network_is_read_for_another_window(self, tmp_path: Path) -> None:
        save_network(tmp_path / "a.npz", network(CONFIG), CONFIG)
        teacher = read_teacher_network(tmp_path / "a.npz", (96, 64))
        assert teacher.input.shape[1:] == (96, 64, 3)
        assert sorted(teacher.output) == ["genre", "page_type"]

    def test_a_backbone_without_heads_teaches_its_features(
        self, tmp_path: Path, batches: Batches
    ) -> None:
        import_lite0(bundled_weights(), tmp_path / "lite0.npz")
        teacher = read_teacher_network(tmp_path / "lite0.npz", SIZE)
        assert teacher.get_layer(LAST).output.shape[-1] == 1280
        objective = Objective(network(CONFIG), SIZE, teacher)
        objective(batches[0][0], training=True)
        (loss,) = objective.losses
        assert 0 < float(loss) < 2

    def test_other_labels_are_refused(self, tmp_path: Path) -> None:
        other = NetworkConfig("tiny", SIZE, width=0.125, page_types=("a", "b", "c"))
        save_network(tmp_path / "a.npz", network(other), other)
        with pytest.raises(ValueError, match=r"a\.npz has other labels"):
            read_teacher_network(tmp_path / "a.npz", SIZE)

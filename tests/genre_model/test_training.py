"""Training with tiny networks: learning, freezing, saving, pretraining."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import keras
import numpy as np
import pytest
from tiny_training import CONFIG, PAGES, SIZE, eagerly

from corpus_commons.kinds import GENRES, PAGE_TYPES
from genre_model.network.config import NetworkConfig
from genre_model.network.model import (
    load_network,
    network,
    new_network,
    save_network,
    two_heads,
)
from genre_model.samples import read_samples
from genre_model.training import cross_validation
from genre_model.training.augmentation import Augmented
from genre_model.training.batches import Batch, Batches
from genre_model.training.logits import logits
from genre_model.training.pretraining import LAYOUT, read_pretraining, with_maps
from genre_model.training.recipe import Recipe
from genre_model.training.synthesis.layout import CHANNELS
from genre_model.training.targets import label_targets
from genre_model.training.trainer import train
from genre_model.training.windows import Windows, read_windows

pytestmark = pytest.mark.usefixtures("tiny")


@pytest.fixture(scope="module")
def batches(folder: Path) -> Batches:
    samples = read_samples(folder)
    windows = read_windows(folder, [sample.id for sample in samples], SIZE)
    return Batches(windows, label_targets(samples), np.arange(PAGES), SIZE, batch=8)


def exact(folder: Path) -> Windows:
    ids = [sample.id for sample in read_samples(folder)]
    return read_windows(folder, ids, SIZE, finer=1.0)


def pixels(batch: Batch) -> np.ndarray:
    """What the network sees of a batch."""
    return np.asarray(Augmented(SIZE)(batch[0]))


def weights_of(model: object) -> dict[str, np.ndarray]:
    return {variable.path: variable.numpy().copy() for variable in model.weights}


class TestBatches:
    def test_every_page_comes_once_an_epoch_in_another_order(self, folder: Path) -> None:
        samples = read_samples(folder)
        windows = read_windows(folder, [sample.id for sample in samples], SIZE)
        batches = Batches(windows, label_targets(samples), np.arange(10), SIZE, batch=4)
        assert [len(pixels(batches[number])) for number in range(len(batches))] == [4, 4, 2]
        first = pixels(batches[0])
        assert (first == pixels(batches[0])).all()
        batches.begin(1)
        assert (first != pixels(batches[0])).any()

    def test_as_many_others_take_part_each_time_others(self, folder: Path) -> None:
        samples = read_samples(folder)
        windows = read_windows(folder, [sample.id for sample in samples], SIZE)
        others = np.arange(6, PAGES)
        batches = Batches(
            windows, label_targets(samples), np.arange(6), SIZE, batch=12, others=others
        )
        shown = set()
        for epoch in range(20):
            batches.begin(epoch)
            (batch,) = (batches[number] for number in range(len(batches)))
            assert len(pixels(batch)) == 12
            shown |= set(batches.order.tolist())
            assert set(range(6)) <= set(batches.order.tolist())
        assert shown == set(range(PAGES))


class TestTrain:
    def test_the_loss_falls(self, batches: Batches) -> None:
        """The total loss of all heads, not in every epoch: with so few pages it fluctuates."""
        history = train(network(CONFIG), batches, Recipe(epochs=6, rate=3e-3, averaging=0.0))
        assert min(history["loss"]) < 0.7 * history["loss"][0]

    @eagerly()
    @pytest.mark.parametrize(
        ("frozen", "kept"),
        [(0, set()), (1, {"conv1", "block1"}), (2, {"conv1", "block1", "block2"})],
    )
    def test_frozen_blocks_and_the_root_before_them_keep_weights_and_statistics(
        self, batches: Batches, frozen: int, kept: set[str]
    ) -> None:
        model = network(CONFIG)
        before = weights_of(model)
        train(model, batches, Recipe(epochs=1, frozen=frozen))
        changed = {
            name.partition("__")[0].partition("/")[0]
            for name, value in weights_of(model).items()
            if (value != before[name]).any()
        }
        blocks = {"conv1", "block1", "block2", "block3", "block4", "postnorm"}
        assert changed == (blocks - kept) | {"genre", "page_type"}

    @eagerly()
    def test_backbones_of_keras_applications_are_trained(self, batches: Batches) -> None:
        """Their layers have other names, such as block1_conv1."""
        inputs = keras.Input((*SIZE, 3))
        features = keras.layers.Conv2D(4, 3, name="block1_conv1")(inputs)
        model = keras.Model(inputs, two_heads(features, len(GENRES), len(PAGE_TYPES)))
        before = weights_of(model)
        train(model, batches, Recipe(epochs=1, frozen=1))
        changed = {n for n, value in weights_of(model).items() if (value != before[n]).any()}
        assert "block1_conv1/kernel" in changed

    @eagerly()
    def test_the_first_phase_only_trains_the_heads(self, batches: Batches) -> None:
        model = network(CONFIG)
        before = weights_of(model)
        train(model, batches, Recipe(epochs=0, head_epochs=1))
        changed = {n for n, value in weights_of(model).items() if (value != before[n]).any()}
        assert {name.split("/")[0] for name in changed} == {"genre", "page_type"}


class TestNewNetwork:
    def test_weights_of_the_same_labels_are_all_taken_over(self, tmp_path: Path) -> None:
        model = network(CONFIG)
        save_network(tmp_path / "a.npz", model, CONFIG)
        begun, _ = new_network(CONFIG, tmp_path / "a.npz")
        again = weights_of(begun)
        assert all(np.allclose(again[n], v, atol=1e-3) for n, v in weights_of(model).items())

    def test_a_head_with_the_same_labels_in_another_order_is_new(self, tmp_path: Path) -> None:
        theirs = network(CONFIG)
        theirs.get_layer("genre").bias.assign([1.0, -1.0])
        save_network(tmp_path / "a.npz", theirs, replace(CONFIG, genres=GENRES[::-1]))
        begun, _ = new_network(CONFIG, tmp_path / "a.npz")
        assert not begun.get_layer("genre").bias.numpy().any()
        kernels = [model.get_layer("page_type").kernel.numpy() for model in (begun, theirs)]
        assert np.allclose(*kernels, atol=1e-3)

    def test_heads_for_other_labels_are_new(self, tmp_path: Path) -> None:
        save_network(tmp_path / "a.npz", network(CONFIG), CONFIG)
        other = NetworkConfig("tiny", SIZE, width=0.125, page_types=("a", "b", "c"))
        begun, _ = new_network(other, tmp_path / "a.npz")
        assert begun.output["page_type"].shape[-1] == 3

    @pytest.mark.parametrize(
        "brought",
        [{"width": 0.25, "root_channels": 16}, {"scaling": "vgg-rgb"}, {"conventions": "keras"}],
    )
    def test_what_is_saved_is_what_was_trained(
        self, tmp_path: Path, brought: dict[str, object]
    ) -> None:
        """It has the width, scaling and conventions of its initial weights."""
        theirs = NetworkConfig("tiny", SIZE, **{"width": 0.125, **brought})
        save_network(tmp_path / "a.npz", network(theirs), theirs)
        model, config = new_network(NetworkConfig("tiny", SIZE), tmp_path / "a.npz")
        save_network(tmp_path / "b.npz", model, config)
        served, _ = load_network(tmp_path / "b.npz")
        page = np.random.default_rng(0).integers(0, 256, (1, *SIZE, 3)).astype(np.float32)
        for head, trained in model.predict_on_batch(page).items():
            assert np.allclose(served.predict_on_batch(page)[head], trained, rtol=1e-2, atol=1e-2)

    def test_options_take_precedence_over_those_of_the_weights(self, tmp_path: Path) -> None:
        save_network(tmp_path / "a.npz", network(CONFIG), replace(CONFIG, scaling="vgg-rgb"))
        asked = replace(CONFIG, scaling="inception")
        assert new_network(asked, tmp_path / "a.npz")[1] == asked


def test_logits_do_not_depend_on_the_number_of_pages(folder: Path) -> None:
    model, windows = network(CONFIG), exact(folder)
    whole = logits(model, windows, SIZE)["genre"]
    one = logits(model, windows.of(np.array([5])), SIZE)["genre"]
    assert np.allclose(whole[5], one[0], atol=1e-3)


@eagerly()
def test_every_page_is_predicted_by_a_network_trained_without_its_site(
    folder: Path, tmp_path: Path
) -> None:
    samples = read_samples(folder)
    windows = exact(folder)
    folds = np.arange(PAGES) // 2 % 2
    sites = [sample.site("repo") for sample in samples]
    data = cross_validation.Data(
        samples, label_targets(samples), windows, windows, folds, sites, CONFIG
    )

    def run() -> cross_validation.Logits:
        return cross_validation.held_out_logits(
            data, lambda: network(CONFIG), Recipe(epochs=1), folder=tmp_path
        )

    held_out = run()
    assert np.isfinite(held_out["genre"]).all()
    before = (tmp_path / "fold-0.npz").stat().st_mtime_ns
    again = run()
    assert (tmp_path / "fold-0.npz").stat().st_mtime_ns == before
    assert (again["page_type"] == held_out["page_type"]).all()
    answers = cross_validation.calibrated(data, held_out)
    assert answers["genre"].sum(axis=1) == pytest.approx(np.ones(PAGES))


class TestPretraining:
    def test_few_pages_have_one_for_validation(self, folder: Path) -> None:
        training, validation = read_pretraining(folder, SIZE, batch=4, seed=0, holdout=1e-6)
        assert (len(training.order), len(validation.order)) == (PAGES - 1, 1)

    def test_a_single_page_is_too_few(self, folder: Path, tmp_path: Path) -> None:
        shutil.copytree(folder, tmp_path / "one")
        labels = tmp_path / "one" / "labels.jsonl"
        labels.write_text(labels.read_text().partition("\n")[0])
        with pytest.raises(ValueError, match="at least two pages are needed"):
            read_pretraining(tmp_path / "one", SIZE, batch=4, seed=0)

    def test_the_map_has_a_cell_for_eight_by_eight_pixels(self, folder: Path) -> None:
        training, validation = read_pretraining(folder, SIZE, batch=4, seed=0, holdout=0.2)
        batch = training[0]
        _, answers, weights = batch
        assert pixels(batch).shape == (4, *SIZE, 3)
        assert answers[LAYOUT].shape == (4, SIZE[0] // 8, SIZE[1] // 8, len(CHANNELS))
        assert weights[LAYOUT].tolist() == [1] * 4
        assert len(validation) > 0
        model = with_maps(network(CONFIG))
        assert model.output[LAYOUT].shape[1:] == answers[LAYOUT].shape[1:]

    def test_pages_without_maps_take_part_but_have_no_weight_there(
        self, folder: Path, tmp_path: Path
    ) -> None:
        more = tmp_path / "more"
        (more / "shots").mkdir(parents=True)
        shutil.copy(folder / "shots" / "01.png", more / "shots" / "new.png")
        (more / "labels.jsonl").write_text('{"id": "new"}\n')
        training, _ = read_pretraining(folder, SIZE, batch=32, seed=0, additional=more, holdout=0.0)
        _, _, weights = training[0]
        (new,) = np.flatnonzero(weights[LAYOUT] == 0)
        assert training.order[new] == PAGES
        assert not weights["genre"][new]

    def test_a_folder_without_maps_is_refused(self, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "labels.jsonl").write_text('{"id": "a"}\n')
        with pytest.raises(ValueError, match="no labelled page with a layout map"):
            read_pretraining(tmp_path, SIZE, batch=4, seed=0)

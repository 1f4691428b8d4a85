"""Early stopping, and resuming an interrupted run. The model is linear."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
from keras import layers
from tiny_training import eagerly

from corpus_commons.kinds import GENRES, PAGE_TYPES
from genre_model.network.config import NetworkConfig
from genre_model.samples import Sample
from genre_model.training import cross_validation
from genre_model.training.augmentation import UNCHANGED
from genre_model.training.batches import Batches
from genre_model.training.objective import Objective
from genre_model.training.recipe import Recipe
from genre_model.training.targets import label_targets
from genre_model.training.trainer import train
from genre_model.training.windows import joined

SIZE = (32, 32)
PAGES = 12
SAMPLES = [Sample(str(n), GENRES[n % 2], "article", {"repo": n // 2}) for n in range(PAGES)]
RECIPE = Recipe(epochs=2, rate=0.1, patience=9, averaging=0.5)
WINDOWS = joined([np.full((32, 32, 3), 90 * (n % 2), np.uint8) for n in range(PAGES)], 32)


@pytest.fixture(autouse=True)
def without_graphs() -> Iterator[None]:
    with eagerly():
        yield


def linear() -> Any:
    keras.utils.set_random_seed(0)
    image = keras.Input((*SIZE, 3))
    mean = layers.GlobalAveragePooling2D()(layers.Rescaling(1 / 255)(image))
    heads = {"genre": len(GENRES), "page_type": len(PAGE_TYPES)}
    return keras.Model(image, {name: layers.Dense(n, name=name)(mean) for name, n in heads.items()})


def pages(**settings: Any) -> Batches:
    return Batches(WINDOWS, label_targets(SAMPLES), np.arange(PAGES), SIZE, batch=4, **settings)


def contradicted() -> Batches:
    """The same pages with other labels, so that training makes their loss rise."""
    others = [
        replace(sample, genre=GENRES[(n + 1) % 2], page_type="other")
        for n, sample in enumerate(SAMPLES)
    ]
    return Batches(WINDOWS, label_targets(others), np.arange(PAGES), SIZE, augmentation=UNCHANGED)


def loss(model: Any, judged: Batches) -> float:
    entropy = keras.losses.CategoricalCrossentropy(
        from_logits=True, label_smoothing=RECIPE.smoothing
    )
    objective = Objective(model, SIZE)
    objective.compile(loss={"genre": entropy, "page_type": entropy})
    return float(objective.evaluate(judged, verbose=0, return_dict=True)["loss"])


def test_the_averaged_weights_of_the_best_epoch_are_kept() -> None:
    model, judged = linear(), contradicted()
    history = train(model, pages(), RECIPE, validation=judged)
    assert history["val_loss"][0] < history["val_loss"][1]
    assert loss(model, judged) == pytest.approx(history["val_loss"][0], rel=1e-5)
    once = linear()
    train(once, pages(), replace(RECIPE, patience=0), validation=judged)
    assert loss(once, judged) == pytest.approx(history["val_loss"][1], rel=1e-5)


@pytest.mark.parametrize("phase", ["epochs", "head_epochs"])
def test_training_stops_early_when_the_validation_loss_stops_falling(phase: str) -> None:
    recipe = replace(Recipe(epochs=0, rate=1e-12, patience=1), **{phase: 8})
    history = train(linear(), pages(), recipe, validation=contradicted())
    assert len(history["loss"]) < 8


def test_an_interrupted_run_resumes_with_the_next_epoch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pages, metrics and best weights are those of an uninterrupted run."""
    begin, shown = Batches.begin, []

    def stopped(self: Batches, epoch: int) -> None:
        begin(self, epoch)
        shown.append(self.order.tolist())
        if len(shown) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(Batches, "begin", stopped)
    with pytest.raises(KeyboardInterrupt):
        train(linear(), pages(), RECIPE, validation=contradicted(), folder=tmp_path)
    (first,) = json.loads((tmp_path / "phase-0" / "history.json").read_text())
    model = linear()
    history = train(model, pages(), RECIPE, validation=contradicted(), folder=tmp_path)
    assert shown[0] != shown[1] == shown[2]
    assert len(history["loss"]) == 2
    assert history["val_loss"][0] == first["val_loss"] < history["val_loss"][1]
    assert loss(model, contradicted()) == pytest.approx(first["val_loss"], rel=1e-5)
    assert not any(tmp_path.iterdir())


def test_a_fold_is_stopped_early_as_the_network_that_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Validated on sites of the other folds, which are not trained on."""
    judged: list[set[str]] = []
    chosen = cross_validation.Data.validation

    def noted(self: Any, recipe: Recipe, pages: Any, held: int | None = None) -> Batches:
        judged.append({str(SAMPLES[page].record["repo"]) for page in np.flatnonzero(pages)})
        return chosen(self, recipe, pages, held)

    monkeypatch.setattr(cross_validation.Data, "validation", noted)
    folds = np.arange(PAGES) // 2 % 2
    sites = [sample.site("repo") for sample in SAMPLES]
    config = NetworkConfig("linear", SIZE)
    data = cross_validation.Data(
        SAMPLES, label_targets(SAMPLES), WINDOWS, WINDOWS, folds, sites, config
    )
    recipe = replace(RECIPE, epochs=1)
    cross_validation.held_out_logits(data, linear, recipe, folder=tmp_path)
    assert [len(sites) for sites in judged] == [1, 1]
    assert [int(*sites) % 2 for sites in judged] == [1, 0]

"""Test-time augmentation averages the logits over the views."""

from __future__ import annotations

import numpy as np
import pytest
from tiny_network import CONFIG

from genre_model.network.model import network, with_views

PAGES = np.random.default_rng(0).uniform(0, 255, (2, *CONFIG.window, 3)).astype(np.float32)


@pytest.fixture(scope="module")
def model() -> object:
    return network(CONFIG)


def genre(model: object, pixels: np.ndarray) -> np.ndarray:
    return np.asarray(model.predict_on_batch(pixels)["genre"])


def test_without_views_it_is_the_network_itself(model: object) -> None:
    assert with_views(model, ()) is model


def test_logits_are_the_mean_over_all_views(model: object) -> None:
    looking = with_views(model, ("mirrored", "negative"))
    looks = [PAGES, PAGES[:, :, ::-1], 255 - PAGES]
    mean = np.mean([genre(model, look) for look in looks], axis=0)
    assert np.allclose(genre(looking, PAGES), mean, atol=1e-4)


def test_a_mirrored_page_gets_the_same_answer(model: object) -> None:
    looking = with_views(model, ("mirrored",))
    assert np.allclose(genre(looking, PAGES), genre(looking, PAGES[:, :, ::-1]), atol=1e-4)


def test_an_unknown_view_is_named(model: object) -> None:
    with pytest.raises(ValueError, match="unknown view 'upside-down'; known: mirrored, negative"):
        with_views(model, ("upside-down",))

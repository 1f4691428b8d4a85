"""Prediction with boosted trees gives the same as LightGBM itself."""

from __future__ import annotations

import pickle
from copy import deepcopy

import lightgbm
import numpy as np
import pytest

from corpus_commons.boosting import booster, has_library
from corpus_commons.boosting.booster import Booster


def test_predicts_what_lightgbm_predicts() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(200, 5)).astype(np.float32)
    rows[::7, 2] = np.nan
    data = lightgbm.Dataset(rows, (rows[:, 0] > 0).astype(int))
    model = lightgbm.train({"objective": "binary", "verbose": -1, "num_threads": 1}, data, 10)
    ours = Booster(model.model_to_string()).predict(rows)
    assert np.allclose(ours, model.predict(rows))


def test_certain_rows_stop_early() -> None:
    rows = np.random.default_rng(1).normal(size=(2000, 1)).astype(np.float32)
    data = lightgbm.Dataset(rows, (rows[:, 0] > 0).astype(int))
    model = lightgbm.train({"objective": "binary", "verbose": -1, "num_threads": 1}, data, 200)
    text = model.model_to_string()
    whole = Booster(text).predict(rows)
    early = Booster(text, margin=4).predict(rows)
    beyond = 1 / (1 + np.exp(4))
    assert ((early > beyond) & (early < 1 - beyond)).sum() == 0
    assert (np.abs(early - whole) < beyond).all()
    assert (early != whole).any()
    assert (Booster(text, margin=1000).predict(rows) == whole).all()


@pytest.mark.parametrize("margin", [None, 0.5])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_copy_and_one_from_another_process_predict_the_same(
    classes: int, margin: float | None
) -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(500, 4)).astype(np.float32)
    labels = rng.integers(0, classes, 500)
    task = {"objective": "binary"} if classes == 2 else {"objective": "multiclass", "num_class": 3}
    options = {"verbose": -1, "num_threads": 1, **task}
    text = lightgbm.train(options, lightgbm.Dataset(rows, labels), 60).model_to_string()
    booster = Booster(text, margin=margin)
    expected = booster.predict(rows).tolist()
    sent = pickle.loads(pickle.dumps(booster))  # noqa: S301 - our own
    assert sent.predict(rows).tolist() == expected
    assert deepcopy(sent).predict(rows).tolist() == expected
    assert deepcopy(sent).outputs == booster.outputs


def test_text_that_is_not_a_model_is_refused() -> None:
    with pytest.raises(ValueError, match="LightGBM"):
        Booster("no trees here")


def test_a_machine_without_openmp_has_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str) -> None:
        raise OSError(f"{name}: libgomp.so.1: cannot open shared object file")

    booster._library.cache_clear()
    monkeypatch.setattr(booster.ctypes, "CDLL", load)
    assert not has_library()
    monkeypatch.undo()
    assert has_library()

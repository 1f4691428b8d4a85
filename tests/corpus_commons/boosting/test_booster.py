"""Prediction with boosted trees gives the same as LightGBM itself, with its library and without."""

from __future__ import annotations

import pickle
from copy import deepcopy

import lightgbm
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_commons.boosting import booster, library_trees
from corpus_commons.boosting.array_trees import ArrayTrees
from corpus_commons.boosting.booster import Booster
from corpus_commons.boosting.library_trees import LibraryTrees, has_library

TREES = [LibraryTrees, ArrayTrees]
Trees = type[LibraryTrees] | type[ArrayTrees]
Rows = npt.NDArray[np.float32]


def trained(rows: Rows, labels: npt.NDArray[np.int64], trees: int, **options: object) -> str:
    """A model in LightGBM's text format."""
    chosen = {"objective": "binary", "verbose": -1, "num_threads": 1, **options}
    return lightgbm.train(chosen, lightgbm.Dataset(rows, labels), trees).model_to_string()


def noise(rows: int, columns: int) -> Rows:
    return np.random.default_rng(1).normal(size=(rows, columns)).astype(np.float32)


@settings(max_examples=20, deadline=None)
@given(
    classes=st.integers(2, 4),
    leaves=st.integers(2, 64),
    rows=st.integers(0, 90),
    missing=st.booleans(),
)
def test_predicts_what_lightgbm_predicts(
    classes: int, leaves: int, rows: int, missing: bool
) -> None:
    given_rows = noise(300, 5)
    if missing:
        given_rows[::7, 2] = np.nan
    labels = np.random.default_rng(2).integers(0, classes, 300)
    task = {} if classes == 2 else {"objective": "multiclass", "num_class": classes}
    text = trained(given_rows, labels, 25, num_leaves=leaves, min_data_in_leaf=2, **task)
    asked = given_rows[:rows]
    asked[1::5, 1] = np.nan
    library, arrays = (trees(text).predict(asked) for trees in TREES)
    np.testing.assert_allclose(arrays, library, rtol=0, atol=1e-14)
    if rows:
        model = lightgbm.Booster(model_str=text)
        np.testing.assert_allclose(library.squeeze(), np.squeeze(model.predict(asked)))


@pytest.mark.parametrize("trees", TREES)
def test_certain_rows_stop_early(trees: Trees) -> None:
    rows = noise(2000, 1)
    text = trained(rows, (rows[:, 0] > 0).astype(int), 200)
    whole = trees(text).predict(rows)
    early = trees(text, margin=4).predict(rows)
    beyond = 1 / (1 + np.exp(4))
    assert ((early > beyond) & (early < 1 - beyond)).sum() == 0
    assert (np.abs(early - whole) < beyond).all()
    assert (early != whole).any()
    assert (trees(text, margin=1000).predict(rows) == whole).all()
    np.testing.assert_allclose(early, LibraryTrees(text, margin=4).predict(rows), atol=1e-14)


@pytest.mark.parametrize("margin", [None, 0.5])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_copy_and_one_from_another_process_predict_the_same(
    classes: int, margin: float | None
) -> None:
    rows = noise(500, 4)
    labels = np.random.default_rng(2).integers(0, classes, 500)
    task = {} if classes == 2 else {"objective": "multiclass", "num_class": 3}
    booster = Booster(trained(rows, labels, 60, **task), margin=margin)
    expected = booster.predict(rows).tolist()
    sent = pickle.loads(pickle.dumps(booster))  # noqa: S301 - our own
    assert sent.predict(rows).tolist() == expected
    assert deepcopy(sent).predict(rows).tolist() == expected
    assert deepcopy(sent).outputs == booster.outputs


@pytest.mark.parametrize("trees", TREES)
def test_text_that_is_not_a_model_is_refused(trees: Trees) -> None:
    with pytest.raises(ValueError, match="LightGBM"):
        trees("no trees here")


def test_what_only_the_library_can_read_is_told() -> None:
    rows = noise(900, 2)
    labels = np.random.default_rng(2).integers(0, 2, 900)
    with pytest.raises(ValueError, match="leaves needs the library itself"):
        ArrayTrees(trained(rows, labels, 5, num_leaves=100, min_data_in_leaf=1))
    codes = np.abs(rows * 9).astype(int).astype(np.float32)
    with pytest.raises(ValueError, match="categorical"):
        ArrayTrees(trained(codes, labels, 5, categorical_feature=[0], min_data_per_group=1))


def test_without_the_library_a_model_is_read_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = noise(200, 3)
    text = trained(rows, (rows[:, 0] > 0).astype(int), 10)
    expected = Booster(text).predict(rows)
    monkeypatch.setattr(booster, "has_library", lambda: False)
    np.testing.assert_allclose(Booster(text).predict(rows), expected, atol=1e-14)


def test_a_machine_without_openmp_has_no_library(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def load(name: str) -> None:
        raise OSError(f"{name}: libgomp.so.1: cannot open shared object file")

    monkeypatch.setattr(library_trees.ctypes, "CDLL", load)
    for cached in (library_trees._library, has_library):
        cached.cache_clear()
    assert not has_library()
    assert "libgomp" in caplog.text
    monkeypatch.undo()
    for cached in (library_trees._library, has_library):
        cached.cache_clear()
    assert has_library()

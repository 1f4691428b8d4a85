"""Accuracy, F1 and their intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support

from genre_model.scoring.scores import figures_of, score

LABELS = ("article", "list-view", "other")


def one_hot(answers: list[int], confidence: float = 0.8) -> np.ndarray:
    rest = (1 - confidence) / (len(LABELS) - 1)
    return np.where(np.eye(len(LABELS))[answers] > 0, confidence, rest)


def test_counts_the_confusions() -> None:
    scores = score(one_hot([0, 1, 1, 2]), np.array([0, 0, 1, 2]), LABELS, threshold=0.5)
    assert scores.confusion.tolist() == [[1, 1, 0], [0, 1, 0], [0, 0, 1]]
    assert scores.accuracy.value == 0.75
    assert scores.classes["article"].precision.value == 1.0
    assert scores.classes["article"].recall.value == 0.5
    assert scores.classes["article"].support == 2
    assert scores.macro_f1.value == pytest.approx((2 / 3 + 2 / 3 + 1) / 3)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=30))
def test_agrees_with_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    truth, answers = np.array(pairs).T
    scores = score(one_hot(answers.tolist()), truth, LABELS, threshold=0, resamples=2)
    present = sorted(set(truth.tolist()))
    expected = precision_recall_fscore_support(truth, answers, labels=present, zero_division=0)
    found = [scores.classes[LABELS[label]] for label in present]
    assert [c.precision.value for c in found] == pytest.approx(expected[0])
    assert [c.recall.value for c in found] == pytest.approx(expected[1])
    assert [c.f1.value for c in found] == pytest.approx(expected[2])
    assert scores.macro_f1.value == pytest.approx(expected[2].mean())


def test_a_class_without_pages_does_not_count_for_macro_f1() -> None:
    scores = score(one_hot([0, 1]), np.array([0, 1]), LABELS, threshold=0)
    assert scores.macro_f1.value == 1.0
    assert np.isnan(scores.classes["other"].recall.value)
    assert np.isnan(scores.classes["other"].precision.low)


def test_a_class_that_is_never_predicted_has_precision_0() -> None:
    scores = score(one_hot([0, 0]), np.array([0, 1]), LABELS, threshold=0)
    assert scores.classes["list-view"].precision.value == 0
    assert scores.classes["list-view"].f1.value == 0


def test_intervals_hold_the_figure_and_narrow_with_more_pages() -> None:
    def width(pages: int) -> float:
        answers = [0, 0, 0, 1] * (pages // 4)
        truth = np.zeros(len(answers), dtype=np.int64)
        accuracy = score(one_hot(answers), truth, LABELS, threshold=0).accuracy
        assert accuracy.low <= accuracy.value <= accuracy.high
        return accuracy.high - accuracy.low

    # The normal approximation gives 2 * 1.96 * sqrt(.75 * .25 / 100) = 0.17.
    assert width(100) == pytest.approx(0.17, abs=0.02)
    assert width(1600) == pytest.approx(0.17 / 4, abs=0.01)


def test_pages_of_one_site_are_resampled_together() -> None:
    answers = [0] * 50 + [1] * 50
    truth = np.zeros(100, dtype=np.int64)
    sites = [f"site {i // 10}" for i in range(100)]
    alone = score(one_hot(answers), truth, LABELS, threshold=0)
    together = score(one_hot(answers), truth, LABELS, sites, threshold=0)
    assert (alone.groups, together.groups) == (100, 10)
    assert together.accuracy.value == alone.accuracy.value
    width = [s.accuracy.high - s.accuracy.low for s in (alone, together)]
    assert width[1] > 2 * width[0]


def test_the_same_seed_gives_the_same_intervals() -> None:
    def run(seed: int) -> tuple[float, float]:
        truth = np.array([0, 1, 2, 0, 1] * 5)
        estimate = score(one_hot([0] * 25), truth, LABELS, threshold=0, seed=seed).macro_f1
        return estimate.low, estimate.high

    assert run(0) == run(0)


def test_coverage_and_accuracy_of_the_sure_answers() -> None:
    probabilities = np.array([[0.9, 0.1, 0], [0.9, 0.1, 0], [0.5, 0.4, 0.1], [0.4, 0.3, 0.3]])
    scores = score(probabilities, np.array([0, 1, 0, 0]), LABELS, threshold=0.6)
    assert scores.coverage == 0.5
    assert scores.sure_accuracy == 0.5
    assert scores.accuracy.value == 0.75
    hopeless = score(probabilities, np.array([0, 1, 0, 0]), LABELS, threshold=1.0)
    assert hopeless.coverage == 0
    assert np.isnan(hopeless.sure_accuracy)


def test_no_pages_are_refused() -> None:
    with pytest.raises(ValueError, match="0 pages"):
        score(np.empty((0, 3)), np.empty(0, np.int64), LABELS, threshold=0)


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3, max_size=3))
def test_figures_are_shares(confusion: list[list[int]]) -> None:
    figures = figures_of(np.array(confusion))
    known = figures[~np.isnan(figures)]
    assert ((known >= 0) & (known <= 1)).all()

"""Metrics of labels: blocks as in Web2Text, elements as in Yunis's thesis."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics.blocks import blocks
from evaluation.metrics.elements import ElementCounts, elements
from evaluation.metrics.score import Confusion

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 500)))


def arrays(pairs: list[tuple[bool, bool, int]]) -> list[np.ndarray]:
    return [
        np.array([pair[column] for pair in pairs], dtype=kind)
        for column, kind in enumerate((np.bool_, np.bool_, np.int64))
    ]


class TestBlocks:
    def test_by_hand(self) -> None:
        gold = np.array([1, 1, 1, 0, 0, 0, 0, 1], dtype=bool)
        predicted = np.array([1, 1, 0, 1, 0, 0, 0, 1], dtype=bool)
        counts = blocks(predicted, gold)
        assert counts == Confusion(tp=3, fp=1, fn=1, tn=3)
        assert (counts.accuracy, counts.score.f1) == (0.75, 0.75)

    def test_pages_are_pooled_not_averaged(self) -> None:
        long = blocks(np.ones(98, dtype=bool), np.ones(98, dtype=bool))
        short = blocks(np.ones(2, dtype=bool), np.zeros(2, dtype=bool))
        assert (long + short).score.precision == 0.98

    def test_nothing_predicted_scores_0_unless_nothing_was_wanted(self) -> None:
        none, some = np.zeros(3, dtype=bool), np.array([True, False, False])
        assert blocks(none, some).score.f1 == 0
        assert blocks(none, none).score.f1 == 1
        assert Confusion().accuracy == 1

    def test_labels_of_other_blocks_are_refused(self) -> None:
        with pytest.raises(ValueError, match="labels predicted for"):
            blocks(np.zeros(2, dtype=bool), np.zeros(3, dtype=bool))

    @given(PAIRS)
    def test_swapping_the_labels_swaps_precision_and_recall(
        self, pairs: list[tuple[bool, bool, int]]
    ) -> None:
        predicted, gold, _ = arrays(pairs)
        score, swapped = blocks(predicted, gold).score, blocks(gold, predicted).score
        assert (score.precision, score.recall) == (swapped.recall, swapped.precision)


class TestElements:
    def test_by_hand(self) -> None:
        gold = np.array([True, True, False, False])
        predicted = np.array([True, False, True, False])
        counts = elements(predicted, gold, np.array([80, 20, 40, 60]))
        assert counts.by_element == Confusion(tp=1, fp=1, fn=1, tn=1)
        assert counts.by_text == Confusion(tp=80, fp=40, fn=20, tn=60)
        assert (counts.by_text.score.recall, counts.by_text.accuracy) == (0.8, 0.7)

    def test_images_have_no_text(self) -> None:
        counts = elements(np.array([True, False]), np.array([True, True]))
        assert (counts.by_element.tp, counts.by_text) == (1, Confusion())

    def test_lengths_of_other_elements_are_refused(self) -> None:
        with pytest.raises(ValueError, match="lengths given for"):
            elements(np.zeros(2, dtype=bool), np.zeros(2, dtype=bool), np.array([1]))

    @given(PAIRS)
    def test_equal_lengths_make_both_figures_equal(
        self, pairs: list[tuple[bool, bool, int]]
    ) -> None:
        predicted, gold, lengths = arrays(pairs)
        counts = elements(predicted, gold, np.full_like(lengths, 7))
        assert counts.by_text.accuracy == pytest.approx(counts.by_element.accuracy)

    @given(PAIRS, st.integers(0, 20))
    def test_pages_add_up_to_their_union(
        self, pairs: list[tuple[bool, bool, int]], cut: int
    ) -> None:
        parts = [elements(*arrays(part)) for part in (pairs[:cut], pairs[cut:])]
        assert sum(parts, ElementCounts()) == elements(*arrays(pairs))

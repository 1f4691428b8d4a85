"""Metrics of block labels, as in Web2Text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics.score import Confusion

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans()))


class TestBlocks:
    def test_by_hand(self) -> None:
        gold = np.array([1, 1, 1, 0, 0, 0, 0, 1], dtype=bool)
        predicted = np.array([1, 1, 0, 1, 0, 0, 0, 1], dtype=bool)
        counts = Confusion.of(predicted, gold)
        assert counts == Confusion(tp=3, fp=1, fn=1, tn=3)
        assert (counts.accuracy, counts.score.f1) == (0.75, 0.75)

    def test_pages_are_pooled_not_averaged(self) -> None:
        long = Confusion.of(np.ones(98, dtype=bool), np.ones(98, dtype=bool))
        short = Confusion.of(np.ones(2, dtype=bool), np.zeros(2, dtype=bool))
        assert (long + short).score.precision == 0.98

    def test_nothing_predicted_scores_0_unless_nothing_was_wanted(self) -> None:
        none, some = np.zeros(3, dtype=bool), np.array([True, False, False])
        assert Confusion.of(none, some).score.f1 == 0
        assert Confusion.of(none, none).score.f1 == 1
        assert Confusion().accuracy == 1

    def test_labels_of_other_blocks_are_refused(self) -> None:
        with pytest.raises(ValueError, match="predicted labels of shape"):
            Confusion.of(np.zeros(2, dtype=bool), np.zeros(3, dtype=bool))

    @given(PAIRS)
    def test_swapping_the_labels_swaps_precision_and_recall(
        self, pairs: list[tuple[bool, bool]]
    ) -> None:
        predicted, gold = np.array(pairs, dtype=np.bool_).reshape(-1, 2).T
        score, swapped = Confusion.of(predicted, gold).score, Confusion.of(gold, predicted).score
        assert (score.precision, score.recall) == (swapped.recall, swapped.precision)

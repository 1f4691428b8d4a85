"""Properties of all metrics of two texts, and manual examples for each."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from corpus_commons.compared_words import is_unspaced
from evaluation.metrics import TEXT_METRICS, Score
from evaluation.metrics.lcs import lcs
from evaluation.metrics.words import cosine, shingles, snippets_found, words
from tests.cpu_time import bounded_time

TEXTS = st.lists(st.sampled_from(["the", "cat", "Cat", "sat.", "天气", "<p>", "\n", "5", "-"])).map(
    " ".join
) | st.text(max_size=40)
METRICS = pytest.mark.parametrize("name", sorted(TEXT_METRICS))


def numbers(score: Score) -> tuple[float, float, float]:
    return score.precision, score.recall, score.f1


class TestEveryMetric:
    def test_the_table_names_them_all(self) -> None:
        assert set(TEXT_METRICS) == {"words", "lcs", "cosine", "shingles", "cleaneval"}

    @METRICS
    @given(predicted=TEXTS, gold=TEXTS)
    def test_scores_lie_between_0_and_1(self, name: str, predicted: str, gold: str) -> None:
        score = TEXT_METRICS[name](predicted, gold)
        assert all(0 <= number <= 1 for number in numbers(score))
        smaller, larger = sorted((score.precision, score.recall))
        assert smaller - 1e-12 <= score.f1 <= larger + 1e-12

    @METRICS
    @given(text=TEXTS)
    def test_the_gold_text_itself_is_perfect(self, name: str, text: str) -> None:
        assert numbers(TEXT_METRICS[name](text, text)) == pytest.approx((1, 1, 1))

    @METRICS
    @given(predicted=TEXTS, gold=TEXTS)
    def test_swapping_the_texts_swaps_precision_and_recall(
        self, name: str, predicted: str, gold: str
    ) -> None:
        # The gold text decides how words are split.
        assume(is_unspaced(predicted) == is_unspaced(gold))
        score = TEXT_METRICS[name](predicted, gold)
        swapped = TEXT_METRICS[name](gold, predicted)
        assert numbers(score) == pytest.approx((swapped.recall, swapped.precision, swapped.f1))

    @METRICS
    def test_two_empty_texts_score_1(self, name: str) -> None:
        assert TEXT_METRICS[name]("", " \n").f1 == 1

    @METRICS
    @pytest.mark.parametrize(("predicted", "gold"), [("", "some text"), ("some text", "")])
    def test_one_empty_text_scores_0(self, name: str, predicted: str, gold: str) -> None:
        assert numbers(TEXT_METRICS[name](predicted, gold)) == (0, 0, 0)

    @METRICS
    def test_hostile_texts_take_linear_time(self, name: str) -> None:
        for piece in ("\n", " ", "a", "URL\n", "<p>", "a'", "中"):
            with bounded_time():
                TEXT_METRICS[name](piece * 200_000, "a b c d")


class TestWords:
    # Scores by the benchmark's own evaluate.py for these texts.
    @pytest.mark.parametrize(
        ("predicted", "gold", "figures"),
        [
            (
                "Home Contact The river rose in the night and fell by day. More news",
                "The river rose in the night and fell by day.",
                (0.7142857142857143, 1.0, 0.8333333333333333),
            ),
            (
                "A dog, a cat met a bird.",
                "A dog, a cat and a bird met.",
                (1.0, 0.875, 0.9333333333333333),
            ),
            ("SHORT", "short", (1.0, 1.0, 1.0)),
        ],
    )
    def test_agrees_with_the_published_script(
        self, predicted: str, gold: str, figures: tuple[float, float, float]
    ) -> None:
        assert numbers(words(predicted, gold)) == figures

    def test_a_repeated_word_counts_as_often_as_wanted(self) -> None:
        assert numbers(words("la la la la", "la la")) == (0.5, 1.0, pytest.approx(2 / 3))

    def test_ideographs_are_words_of_their_own_where_the_gold_text_is_unspaced(self) -> None:
        assert words("首页,今天天气很好", "今天天气很好。").precision == 6 / 8

    def test_scores_of_spaced_text_are_the_published_ones_whatever_it_quotes(self) -> None:
        gold = "The city of 北京 lies in the north of China."
        assert words("北", gold).f1 == 0

    @pytest.mark.parametrize(
        ("text", "unspaced"),
        [
            ("", False),
            ("It’s “quoted” text.", False),
            ("안녕하세요 세계", False),
            ("今日はいい天気ですね。", True),
            ("使用Python处理网页文本", True),
        ],
    )
    def test_tells_unspaced_text(self, text: str, unspaced: bool) -> None:
        assert is_unspaced(text) is unspaced

    def test_snippets_are_found_as_by_the_published_script(self) -> None:
        assert snippets_found("Keep THIS sentence.", ["keep this", "sentence.", "not there"]) == 2
        assert snippets_found("", ["a"]) == 0


class TestLcs:
    def test_by_hand(self) -> None:
        # Common in order: "the cat on the mat", 5 words.
        score = lcs("Menu the cat lay on the mat", "The cat sat on the mat.")
        assert numbers(score) == (5 / 7, 5 / 6, pytest.approx(10 / 13))

    def test_wrong_order_costs_here_but_not_in_words(self) -> None:
        assert lcs("second part first part", "first part second part").f1 == 0.5
        assert words("second part first part", "first part second part").f1 == 1

    @given(TEXTS, TEXTS)
    def test_is_never_above_words(self, predicted: str, gold: str) -> None:
        assert lcs(predicted, gold).f1 <= words(predicted, gold).f1 + 1e-12

    def test_beyond_the_bound_order_is_ignored(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("evaluation.metrics.lcs.MAX_WORD_PAIRS", 3)
        assert lcs("two one", "one two").f1 == 1


class TestCosine:
    def test_by_hand(self) -> None:
        assert cosine("a a b", "a b c").f1 == pytest.approx(3 / math.sqrt(5 * 3))

    def test_repeating_a_text_changes_nothing(self) -> None:
        assert cosine("a b b " * 7, "a b b").f1 == pytest.approx(1)


class TestShingles:
    def test_by_hand(self) -> None:
        # 5 gold shingles, 4 predicted, "A dog a cat" in common.
        score = shingles("A dog, a cat met a bird.", "A dog, a cat and a bird met.")
        assert (score.precision, score.recall) == (1 / 4, 1 / 5)

    def test_case_counts_and_punctuation_does_not(self) -> None:
        assert shingles("a, b; c - d!", "a b c d").f1 == 1
        assert shingles("A b c d", "a b c d").f1 == 0

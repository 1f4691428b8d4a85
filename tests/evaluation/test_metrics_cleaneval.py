"""CleanEval's scores, compared with those of the public cleaneval.py and with manual examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics import Score
from evaluation.metrics.cleaneval import cleaneval, cleaneval_tagged, shortest_edit

GOLD = (
    "URL: http://example.org/\n\nIntro line <h>News of the day\n<p>The river rose in the night.\n"
    "<l>one boat\n<l>two boats\n<p>The end."
)
PREDICTED = (
    "Intro line <p>News of the day <p>The river rose in the night. <p>one boat "
    "<l>two boats Home Contact"
)
WORDS = st.lists(st.sampled_from("a b c <p> <h> <l>".split()))


def numbers(score: Score) -> tuple[float, float, float]:
    return score.precision, score.recall, score.f1


def test_agrees_with_the_public_script() -> None:
    score = cleaneval_tagged(PREDICTED, GOLD)
    # The script counts the blank after the URL line as an additional gold word: 18 of 24, not 23.
    assert score.text_and_markup.precision == pytest.approx(0.8181818181818182)
    assert score.text_and_markup.recall == pytest.approx(18 / 23)
    assert numbers(score.markup) == pytest.approx((0.5, 0.4, 0.4444444444444445))


class TestByHand:
    def test_the_total_is_the_mean_of_text_only_and_text_and_markup(self) -> None:
        # Text: 16 words in common of 18 predicted and 18 wanted. With markers: 18 of 22 and 23.
        score = cleaneval_tagged(PREDICTED, GOLD)
        assert score.text.f1 == pytest.approx(16 / 18)
        assert score.text_and_markup.f1 == pytest.approx(2 * 18 / (22 + 23))
        assert score.total == pytest.approx((16 / 18 + 36 / 45) / 2)

    def test_f1_is_one_less_the_edit_distance(self) -> None:
        # From "a b x d" to "a b c d e": x goes, c and e come: 3 edits of 9 words.
        assert cleaneval("a b x d", "a b c d e").f1 == pytest.approx(1 - 3 / 9)

    def test_markers_and_the_url_line_are_no_text(self) -> None:
        assert cleaneval("Title Body", "URL: http://a.b/\n<h>Title\n<P>Body").f1 == 1

    def test_case_and_punctuation_count(self) -> None:
        assert cleaneval("title, body", "Title body").f1 == 0.5

    def test_text_without_markers_is_perfect_only_as_text(self) -> None:
        score = cleaneval_tagged("Title Body", "<h>Title <p>Body")
        assert (score.text.f1, score.markup.f1) == (1, 0)


class TestAlignment:
    @given(WORDS, WORDS)
    def test_the_shortest_edit_keeps_a_common_subsequence(
        self, predicted: list[str], gold: list[str]
    ) -> None:
        kept = shortest_edit(predicted, gold)
        rest = iter(gold)
        assert all(word in rest for word in (predicted[place] for place in sorted(kept)))
        assert len(set(kept)) == len(kept)

    @given(WORDS, WORDS)
    def test_the_text_score_is_that_of_cleaneval(
        self, predicted: list[str], gold: list[str]
    ) -> None:
        first, second = " ".join(predicted), " ".join(gold)
        assert cleaneval_tagged(first, second).text == cleaneval(first, second)

    def test_texts_beyond_the_bound_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("evaluation.metrics.cleaneval.MAX_ALIGNED_PAIRS", 3)
        with pytest.raises(ValueError, match="too long to align: 2 words with 2"):
            cleaneval_tagged("same a b same", "same b a same")

"""Predictions, and their JSON."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.kinds import UNSURE
from genre_model.prediction import Prediction

GENRE = {"article": 0.75, "list-view": 0.25}
PAGE_TYPE = {"article": 0.5, "listing": 0.3, "other": 0.2}

scores = st.dictionaries(st.text(min_size=1).filter(lambda s: s != UNSURE), st.floats(0, 1))


def test_the_best_label_is_the_answer_where_it_reaches_the_threshold() -> None:
    prediction = Prediction.of(GENRE, PAGE_TYPE, threshold=0.5)
    assert (prediction.genre, prediction.page_type) == ("article", "article")


def test_a_best_score_below_the_threshold_is_unsure() -> None:
    prediction = Prediction.of(GENRE, PAGE_TYPE, threshold=0.51)
    assert (prediction.genre, prediction.page_type) == ("article", None)
    assert prediction.page_type_scores == PAGE_TYPE


def test_by_default_there_is_always_an_answer() -> None:
    assert Prediction.of({"article": 0.5, "list-view": 0.5}, PAGE_TYPE).genre == "article"
    assert Prediction.of({"article": 0.5, "list-view": 0.5}, PAGE_TYPE, 0.6).genre is None


def test_another_threshold_applies_to_the_same_scores() -> None:
    strict = Prediction.of(GENRE, PAGE_TYPE, 0.99)
    assert strict.with_threshold(0.0) == Prediction.of(GENRE, PAGE_TYPE, 0.0)


def test_a_line_names_the_page_first_and_writes_none_as_unsure() -> None:
    line = Prediction.of(GENRE, PAGE_TYPE, 0.6).to_json("p1")
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    fields = orjson.loads(line)
    assert list(fields) == ["id", "genre", "genre_scores", "page_type", "page_type_scores"]
    assert fields["id"] == "p1"
    assert fields["genre"] == "article"
    assert fields["page_type"] == "unsure"


def test_more_fields_follow_the_id() -> None:
    fields = orjson.loads(Prediction.of(GENRE, PAGE_TYPE).to_json("p1", by="html"))
    assert list(fields)[:3] == ["id", "by", "genre"]


@given(scores, scores, st.floats(0, 1))
def test_a_written_prediction_reads_back(
    genre: dict[str, float], page_type: dict[str, float], threshold: float
) -> None:
    prediction = Prediction.of(genre, page_type, threshold)
    read = Prediction.from_fields(orjson.loads(prediction.to_json("x")))
    assert (read.genre, read.page_type) == (prediction.genre, prediction.page_type)
    assert read.genre_scores == pytest.approx(genre, abs=1e-6)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"genre": "a", "genre_scores": {"a": 1}, "page_type": "a"},
        {"genre": "b", "genre_scores": {"a": 1}, "page_type": "a", "page_type_scores": {"a": 1}},
        {"genre": "a", "genre_scores": {"a": 2}, "page_type": "a", "page_type_scores": {"a": 1}},
        {"genre": "a", "genre_scores": [1.0], "page_type": "a", "page_type_scores": {"a": 1}},
        {"genre": "a", "genre_scores": {"a": "1"}, "page_type": "a", "page_type_scores": {"a": 1}},
        {"genre": ["a"], "genre_scores": {"a": 1}, "page_type": "a", "page_type_scores": {"a": 1}},
    ],
)
def test_a_line_that_is_no_prediction_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"prediction|scores"):
        Prediction.from_fields(fields)

"""Filters: keep, or why not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from corpus_samples import document
from hypothesis import given
from hypothesis import strategies as st

from crawler.items import Document, Rejection
from pipelines.errors import CorpusError
from pipelines.filters import FILTERS, filter_chain
from pipelines.filters.duplicate_text import DuplicateText
from pipelines.filters.minimum_length import MinimumLength
from pipelines.words import count_words


def judged(tmp_path: Path, options: dict[str, dict[str, Any]], one: Document) -> Rejection | None:
    with filter_chain(options, tmp_path) as chain:
        return chain.judge(one)


@pytest.mark.parametrize(
    ("options", "text", "detail"),
    [
        ({}, "", "0 characters, at least 1 are asked for"),
        ({}, " \n ", "0 characters, at least 1 are asked for"),
        ({}, "x", None),
        ({"characters": 5}, "four", "4 characters, at least 5 are asked for"),
        ({"characters": 5}, "fives", None),
        ({"words": 3}, "two words", "2 words, at least 3 are asked for"),
        ({"words": 3}, "今日は", None),
    ],
)
def test_minimum_length(
    tmp_path: Path, options: dict[str, Any], text: str, detail: str | None
) -> None:
    found = judged(tmp_path, {"minimum-length": options}, document(text=text))
    assert found == (detail and Rejection("too-short", detail))


@given(st.text(alphabet="ab \n語", max_size=300), st.integers(0, 40))
def test_minimum_length_counts_as_many_words_as_there_are(text: str, least: int) -> None:
    rejection = MinimumLength(characters=0, words=least).judge(document(text=text))
    assert (rejection is None) == (count_words(text) >= least)


@pytest.mark.parametrize(
    ("language", "probability", "detail"),
    [
        ("en", 0.9, None),
        ("de", 0.9, "de"),
        (None, None, "unknown"),
        ("en", 0.3, "en with a probability of 0.30 only"),
    ],
)
def test_language(
    tmp_path: Path, language: str | None, probability: float | None, detail: str | None
) -> None:
    one = document(language=language, language_probability=probability)
    options = {"language": {"allowed": ["en", "zh"], "probability": 0.5}}
    assert judged(tmp_path, options, one) == (detail and Rejection("language", detail))


@pytest.mark.parametrize(
    ("genre", "unsure", "detail"),
    [
        ("article", False, None),
        ("list-view", True, "list-view"),
        (None, True, None),
        (None, False, "unsure"),
    ],
)
def test_genre(tmp_path: Path, genre: str | None, unsure: bool, detail: str | None) -> None:
    options = {"genre": {"allowed": ["article"], "unsure": unsure}}
    found = judged(tmp_path, options, document(genre=genre))
    assert found == (detail and Rejection("genre", detail))


class TestDuplicateText:
    def test_the_second_document_with_a_text_is_a_duplicate(self, tmp_path: Path) -> None:
        with filter_chain({"duplicate": {}}, tmp_path) as chain:
            assert chain.judge(document(1, "the  same\ntext")) is None
            found = chain.judge(document(2, "the same text "))
            assert found is not None
            assert found.reason == "duplicate"
            assert found.detail.endswith(document(1).id[:16])
            assert chain.judge(document(3, "The same text")) is None

    def test_what_is_safe_is_known_after_a_restart(self, tmp_path: Path) -> None:
        with filter_chain({"duplicate": {}}, tmp_path) as chain:
            kept, unsafe = document(1, "safe"), document(2, "not yet safe")
            assert (chain.judge(kept), chain.judge(unsafe)) == (None, None)
            chain.remember([kept])
        with filter_chain({"duplicate": {}}, tmp_path) as chain:
            assert chain.judge(document(3, "safe")) is not None
            # It was in no shard when the crawl was killed: its text is not to be lost.
            assert chain.judge(document(4, "not yet safe")) is None

    def test_a_document_that_comes_again_is_not_its_own_duplicate(self, tmp_path: Path) -> None:
        for _ in range(2):
            with filter_chain({"duplicate": {}}, tmp_path) as chain:
                assert chain.judge(document(1, "text")) is None
                assert chain.judge(document(1, "text")) is None
                chain.remember([document(1, "text")])
                chain.remember([document(1, "text")])
                assert chain.judge(document(1, "text")) is None

    def test_what_was_not_written_after_all_is_forgotten(self, tmp_path: Path) -> None:
        with filter_chain({"duplicate": {}}, tmp_path) as chain:
            assert chain.judge(document(1, "text")) is None
            chain.forget(document(1, "text"))
            assert chain.judge(document(2, "text")) is None
            chain.forget(document(1, "text"))
            assert chain.judge(document(3, "text")) is not None

    def test_what_another_filter_rejects_is_nobodys_original(self, tmp_path: Path) -> None:
        options: dict[str, dict[str, Any]] = {"duplicate": {}, "genre": {"allowed": ["article"]}}
        with filter_chain(options, tmp_path) as chain:
            rejected = chain.judge(document(1, "text", genre="list-view"))
            assert rejected == Rejection("genre", "list-view")
            assert chain.judge(document(2, "text", genre="article")) is None

    def test_empty_texts_are_not_compared(self, tmp_path: Path) -> None:
        with filter_chain({"duplicate": {}}, tmp_path) as chain:
            assert [chain.judge(document(number, " ")) for number in (1, 2)] == [None, None]

    def test_only_what_is_in_work_is_in_memory(self, tmp_path: Path) -> None:
        one = DuplicateText(path=tmp_path / "texts.sqlite")
        for number in range(100):
            assert one.judge(document(number)) is None
            one.remember([document(number)])
        assert not one._pending
        one.close()

    def test_a_memory_that_is_no_database_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "texts.sqlite").write_bytes(b"no database" * 100)
        with pytest.raises(CorpusError, match=r"texts\.sqlite, the memory of the filter"):
            filter_chain({"duplicate": {}}, tmp_path)


def test_the_first_filter_that_objects_decides(tmp_path: Path) -> None:
    options = {"language": {"allowed": ["en"]}, "minimum-length": {"characters": 5}}
    found = judged(tmp_path, options, document(text="x", language="de"))
    assert found == Rejection("language", "de")
    assert judged(tmp_path, {}, document(text="")) is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lenght": {}}, "there is no filter 'lenght'; there are minimum-length, language"),
        (
            {"genre": {"allow": []}},
            "'genre' has no option 'allow'; its options are allowed, unsure",
        ),
        ({"duplicate": {"path": "x"}}, "'duplicate' has no option 'path'; it has no options"),
        ({"genre": {}}, "filter 'genre': .*allowed"),
        ({"genre": {"allowed": "article"}}, r"list of genres such as \['article'\]"),
        ({"language": {"allowed": ["english"]}}, "'english' is no ISO 639 code"),
        ({"language": {"allowed": ["en"], "probability": 2}}, "from 0 to 1, not 2"),
        ({"minimum-length": {"words": -1}}, "0 or more, not -1"),
    ],
)
def test_wrong_options_are_named(
    tmp_path: Path, options: dict[str, dict[str, Any]], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        filter_chain(options, tmp_path)


def test_every_filter_says_when_to_use_it() -> None:
    assert all(one.__doc__ for one in FILTERS.values())

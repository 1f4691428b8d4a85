"""Filters: keep, or why not."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from corpus_samples import document
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.markup.words import count_words
from crawler.items import Document
from crawler.outcomes import Rejection
from pipelines.corpus.errors import CorpusError
from pipelines.filters import filter_chain
from pipelines.filters.base import FilterChain
from pipelines.filters.duplicate_text import Copy, DuplicateText
from pipelines.filters.minimum_length import MinimumLength
from pipelines.versions.fingerprint import words_digest
from settings.tables.filters import Filters


def judged(tmp_path: Path, filters: Filters, one: Document) -> Rejection | None:
    with filter_chain(filters, tmp_path) as chain:
        return chain.judge(one)


def duplicates(tmp_path: Path) -> FilterChain:
    return FilterChain([DuplicateText(tmp_path / "texts.sqlite")])


@pytest.mark.parametrize(
    ("least", "text", "detail"),
    [
        (0, "", "0 words, the minimum is 1"),
        (0, " \n ", "0 words, the minimum is 1"),
        (0, "x", None),
        (3, "two words", "2 words, the minimum is 3"),
        (3, "three words now", None),
        (3, " ".join(["a" * 100] * 2), "2 words, the minimum is 3"),
        (3, " ".join(["a" * 100] * 3), None),
        (3, "今日", "2 words, the minimum is 3"),
        (3, "今日は", None),
        (3, "ก" * 8, "2 words, the minimum is 3"),
        (3, "ก" * 9, None),
    ],
)
def test_a_document_has_as_many_words_as_the_job_asks_for_and_is_never_empty(
    tmp_path: Path, least: int, text: str, detail: str | None
) -> None:
    found = judged(tmp_path, Filters(min_words=least), document(text=text))
    assert found == (detail and Rejection("too-short", detail))


@given(st.text(alphabet="ab \n語", max_size=300), st.integers(1, 40))
def test_minimum_length_counts_as_many_words_as_there_are(text: str, least: int) -> None:
    rejection = MinimumLength(least).judge(document(text=text))
    assert (rejection is None) == (count_words(text) >= least)


@pytest.mark.parametrize(
    ("filters", "known", "rejection"),
    [
        (Filters(), {}, None),
        (Filters(languages=("en", "zh")), {"language": "zh"}, None),
        (Filters(languages=("en", "zh")), {"language": "de"}, Rejection("language", "de")),
        (Filters(languages=("en", "zh")), {}, Rejection("language", "unknown")),
        (Filters(genres=("article",)), {"genre": "article"}, None),
        (Filters(genres=("article",)), {"genre": "list-view"}, Rejection("genre", "list-view")),
        (Filters(genres=("article",)), {}, Rejection("genre", "unsure")),
        (Filters(page_types=("forum",)), {"page_type": "forum"}, None),
        (Filters(page_types=("forum",)), {"page_type": "other"}, Rejection("page-type", "other")),
        (Filters(page_types=("forum",)), {}, Rejection("page-type", "unsure")),
    ],
)
def test_what_a_job_names_is_kept_and_what_is_something_else_or_unknown_is_not(
    tmp_path: Path, filters: Filters, known: dict[str, Any], rejection: Rejection | None
) -> None:
    one = document(text="word " * 50, **known)
    assert judged(tmp_path, filters, one) == rejection


class TestDuplicateText:
    def test_the_second_document_with_a_text_is_a_duplicate(self, tmp_path: Path) -> None:
        with duplicates(tmp_path) as chain:
            assert chain.judge(document(1, "the  same\ntext")) is None
            found = chain.judge(document(2, "the same text "))
            assert found
            assert found.reason == "duplicate"
            assert found.detail == f"same text as document {document(1).id}"
            assert chain.judge(document(3, "The same text")) is None

    def test_what_is_safe_is_known_after_a_restart(self, tmp_path: Path) -> None:
        with duplicates(tmp_path) as chain:
            kept = document(1, "safe", requested_url="https://example.com/1")
            unsafe = document(2, "not yet safe")
            assert (chain.judge(kept), chain.judge(unsafe)) == (None, None)
            chain.remember([kept])
        with duplicates(tmp_path) as chain:
            found = chain.judge(document(3, "safe"))
            detail = f"same text as document {kept.id}"
            assert found == Copy("duplicate", detail, kept.id, kept.url, words_digest("safe"))
            # It was in no shard when the crawl was killed: its text is not to be lost.
            assert chain.judge(document(4, "not yet safe")) is None

    def test_a_document_that_comes_again_is_not_its_own_duplicate(self, tmp_path: Path) -> None:
        for _ in range(2):
            with duplicates(tmp_path) as chain:
                assert chain.judge(document(1, "text")) is None
                assert chain.judge(document(1, "text")) is None
                chain.remember([document(1, "text")])
                chain.remember([document(1, "text")])
                assert chain.judge(document(1, "text")) is None

    def test_what_was_not_written_after_all_is_forgotten(self, tmp_path: Path) -> None:
        with duplicates(tmp_path) as chain:
            assert chain.judge(document(1, "text")) is None
            chain.forget(document(1, "text"))
            assert chain.judge(document(2, "text")) is None
            chain.forget(document(1, "text"))
            assert chain.judge(document(3, "text")) is not None

    def test_what_another_filter_rejects_is_nobodys_original(self, tmp_path: Path) -> None:
        wanted = Filters(min_words=0, genres=("article",))
        with filter_chain(wanted, tmp_path) as chain:
            rejected = chain.judge(document(1, "text", genre="list-view"))
            assert rejected == Rejection("genre", "list-view")
            assert chain.judge(document(2, "text", genre="article")) is None

    def test_empty_texts_are_not_compared(self, tmp_path: Path) -> None:
        with duplicates(tmp_path) as chain:
            assert [chain.judge(document(number, " ")) for number in (1, 2)] == [None, None]

    def test_texts_are_released_all_or_none(self, tmp_path: Path) -> None:
        one, other = document(1, "one text"), document(2, "another text")
        texts = [(it.id, words_digest(it.text)) for it in (one, other)]
        with duplicates(tmp_path) as chain:
            chain.remember([one, other])
            with closing(sqlite3.connect(tmp_path / "texts.sqlite")) as db:
                db.execute(
                    f"""CREATE TRIGGER full BEFORE DELETE ON first_documents
                    WHEN old.id = x'{other.id}' BEGIN SELECT RAISE(ABORT, 'no room'); END"""
                )
                with pytest.raises(CorpusError, match="no room"):
                    chain.release(texts)
                assert chain.judge(document(3, "one text")) is not None
                db.execute("DROP TRIGGER full")
            chain.release(texts)
            assert chain.judge(document(3, "one text")) is None
            assert chain.judge(document(4, "another text")) is None

    def test_texts_of_an_earlier_release_are_known(self, tmp_path: Path) -> None:
        with closing(sqlite3.connect(tmp_path / "texts.sqlite")) as db:
            db.execute(
                "CREATE TABLE first_documents (digest INTEGER PRIMARY KEY, id BLOB NOT NULL)"
            )
            digest = int.from_bytes(words_digest("old"), "big", signed=True)
            old = bytes.fromhex(document(1).id)
            db.execute("INSERT INTO first_documents VALUES (?, ?)", (digest, old))
            db.commit()
        for _ in range(2):
            with duplicates(tmp_path) as chain:
                assert chain.judge(document(2, "old")) is not None
                chain.remember([document(3, "new")])

    def test_only_what_is_in_work_is_in_memory(self, tmp_path: Path) -> None:
        one = DuplicateText(tmp_path / "texts.sqlite")
        for number in range(100):
            assert one.judge(document(number)) is None
            one.remember([document(number)])
        assert not one._pending
        one.close()

    def test_a_text_may_have_characters_that_no_file_holds(self, tmp_path: Path) -> None:
        with duplicates(tmp_path) as chain:
            assert chain.judge(document(1, "a \ud800")) is None
            assert chain.judge(document(2, "a \udfff")) is None
            assert chain.judge(document(3, "a \ud800")) is not None

    def test_a_memory_that_is_no_database_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "texts.sqlite").write_bytes(b"no database" * 100)
        with pytest.raises(CorpusError, match=r"texts\.sqlite, the state of the duplicates filter"):
            duplicates(tmp_path)


def test_the_first_filter_that_objects_decides(tmp_path: Path) -> None:
    wanted = Filters(languages=("en",), genres=("article",), page_types=("forum",))
    text = "word " * 50
    documents = [
        document(),
        document(text=text),
        document(text=text, language="en"),
        document(text=text, language="en", genre="article"),
    ]
    found = [judged(tmp_path, wanted, one) for one in documents]
    reasons = [rejection and rejection.reason for rejection in found]
    assert reasons == ["too-short", "language", "genre", "page-type"]


def test_a_job_that_keeps_duplicates_remembers_no_text(tmp_path: Path) -> None:
    with filter_chain(Filters(min_words=0, duplicates="keep"), tmp_path) as chain:
        assert [chain.judge(document(number, "text")) for number in (1, 2)] == [None, None]
    assert list(tmp_path.iterdir()) == []

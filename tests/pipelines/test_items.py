"""Pages and documents: ids that survive a crash, lines that every reader takes."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import orjson
import pytest
from corpus_samples import BEGIN, document, page
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.kinds import GENRES, PAGE_TYPES
from crawler.consent.statement import FileRead, Statement, consent_data
from crawler.items import Document, document_id, timestamp
from crawler.outcomes import Rejection


def test_the_id_depends_on_the_leased_url_alone() -> None:
    first = page(7)
    again = page(7, html=b"other", rendered_html="<p>other", redirects=(first.url,))
    assert first.id == again.id == Document.of(again).id == document_id(first.lease.url)
    assert page(8).id != first.id


def test_spellings_of_one_url_have_one_id() -> None:
    spellings = ["http://example.com/?a=1&b=2", "HTTP://EXAMPLE.com:80/?b=2&a=1&utm_source=x#top"]
    assert len({document_id(url) for url in spellings}) == 1
    assert len(document_id("http://example.com/")) == 32


def test_what_no_frontier_would_hold_has_an_id_too() -> None:
    assert document_id("file:///a.html") != document_id("file:///b.html")


def test_a_line_has_id_text_and_metadata_with_every_key() -> None:
    line = orjson.loads(document(1, genre="article").to_json())
    assert list(line) == ["id", "text", "metadata"]
    assert line["metadata"]["genre"] == "article"
    assert line["metadata"]["fetched_at"] == "2026-05-01T12:00:01.000Z"
    empty = orjson.loads(document(2, "").to_json())
    assert line["metadata"].keys() == empty["metadata"].keys()
    assert empty["metadata"]["title"] is None


def test_a_rejected_line_says_why() -> None:
    line = orjson.loads(document().to_json(Rejection("too-short", "3 words")))
    assert line["metadata"]["reject_reason"] == "too-short"
    assert line["metadata"]["reject_detail"] == "3 words"


def test_a_document_of_a_page_takes_what_the_page_knows() -> None:
    made = Document.of(page(3, rendered_html="<p>x"), "x")
    assert (made.url, made.requested_url, made.rendered, made.depth) == (
        "https://example.com/3",
        "https://example.com/3",
        True,
        0,
    )


def test_the_types_that_the_docs_give_to_readers_are_those_of_a_line() -> None:
    docs = (Path(__file__).parents[2] / "docs/how-to/read-a-corpus.md").read_text(encoding="utf-8")
    [declared] = re.findall(r"import Dataset, Features, Value\n(.*?)def documents", docs, re.S)
    told: dict[str, Any] = {"Value": str}
    exec(declared, told)  # noqa: S102 - our own page

    scores = {"genre_scores": GENRES, "page_type_scores": PAGE_TYPES}
    judged = {name: dict.fromkeys(kinds, 0.5) for name, kinds in scores.items()}
    consent = consent_data(
        "1", [FileRead("/ai.txt", 404, "now")], [Statement("noai", "no", "page", "noai")]
    )
    found = document(
        extractor_confidence=0.5,
        language_probability=0.5,
        site_pages=3,
        rendering_gain=0.5,
        consent=consent,
        **judged,
    ).metadata()
    types = {
        "int": "int64",
        "bool": "bool",
        "float": "float64",
        "str": "string",
        "NoneType": "string",
    }

    def type_of(value: object) -> object:
        if isinstance(value, dict):
            return {name: type_of(one) for name, one in value.items()}
        if isinstance(value, list):
            return [type_of(one) for one in value]
        return types[type(value).__name__]

    assert told["METADATA"] == type_of(found)


def test_extra_metadata_cannot_take_the_place_of_a_field() -> None:
    assert orjson.loads(document(extra={"x": [1]}).to_json())["metadata"]["x"] == [1]
    with pytest.raises(ValueError, match="must not use the names title"):
        document(extra={"title": "x"}).to_json()


def test_moments_are_written_in_utc() -> None:
    there = datetime(2026, 5, 1, 14, tzinfo=timezone(timedelta(hours=2)))
    assert timestamp(there) == timestamp(BEGIN)


@given(st.text(), st.dictionaries(st.text(), st.text()))
def test_any_text_becomes_one_line_of_json(text: str, extra: dict[str, Any]) -> None:
    line = document(
        text=text, extra={f"x-{name}": value for name, value in extra.items()}
    ).to_json()
    assert line.count(b"\n") == 1
    read = orjson.loads(line)["text"]
    assert read == text or "\ufffd" in read


def test_lone_surrogates_become_replacement_characters() -> None:
    read = orjson.loads(document(text="a\ud800b", title="\udc00").to_json())
    assert (read["text"], read["metadata"]["title"]) == ("a\ufffdb", "\ufffd")

"""The registry of methods."""

from __future__ import annotations

import pickle
import re
import sys
from copy import deepcopy
from typing import Any

import pytest

from corpus_commons.kinds import GENRES, KINDS, PAGE_TYPES, UNSURE
from extraction import (
    Extraction,
    ExtractionError,
    Extractor,
    Page,
    extract,
    extract_many,
    extractor,
    names,
    registry,
)
from extraction.methods.base import DomExtractor

OWN = (
    "all-text goce goce-article goce-list-view bte web2text victor boosted-blocks elements".split()
)


def installed(name: str) -> Extractor:
    try:
        return extractor(name)
    except ImportError as error:
        pytest.skip(str(error))


def test_all_methods_of_the_literature_are_listed() -> None:
    assert set(names()) >= set(
        "goce goce-article goce-list-view boilerpipe-article boilerpipe-default "
        "boilerpipe-canola bte all-text web2text victor elements".split()
    )
    assert "default" not in names()


def test_default_is_a_listed_method() -> None:
    assert registry.DEFAULT in names()
    assert installed("default") is installed(registry.DEFAULT)


@pytest.mark.parametrize("name", names())
def test_a_method_has_its_name_and_the_common_interface(name: str) -> None:
    method = installed(name)
    assert isinstance(method, Extractor)
    assert method.name == name
    assert extractor(name) is method


@pytest.mark.parametrize("name", names())
def test_a_method_takes_text_and_bytes_and_says_who_made_the_text(name: str) -> None:
    method = installed(name)
    sentence = "The quick brown fox jumps over the lazy dog, and nobody is surprised by it. "
    page = f"<html><body><article><h1>Title</h1>{f'<p>{sentence * 4}</p>' * 6}</article>"
    for html in (page, page.encode()):
        extraction = method.extract(html, url="https://example.com/", genre="article")
        assert isinstance(extraction, Extraction)
        assert extraction.method == name
        assert extraction.text.startswith(("Title", "The quick brown fox"))


def test_every_label_of_the_genre_model_is_accepted() -> None:
    assert set(KINDS) == {*GENRES, *PAGE_TYPES}
    for genre in (*KINDS, UNSURE, None):
        assert extract("<p>Some text", genre=genre, method="all-text").text == "Some text"


@pytest.mark.parametrize("genre", ["artcle", "Article", "", float("nan")])
@pytest.mark.parametrize("method", ["default", "goce", "trafilatura"])
def test_the_error_for_an_unknown_genre_lists_the_known_ones(genre: str, method: str) -> None:
    with pytest.raises(ValueError, match=r"^genre is .* must be one of article, list-view, .*None"):
        extract("<p>Some text", genre=genre, method=method)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"url": 5}, "url is int; it must be str or None"),
        ({"url": b"https://example.com/"}, "url is bytes; it must be str or None"),
        ({"charset": 5}, "charset is int; it must be str or None"),
        ({"site": {}}, "site is dict; it must be SiteMemory or None"),
        ({"output": "markdown"}, "output is str; it must be an extraction.Output"),
        ({"html": None}, "html is NoneType; it must be str, bytes or a Dom"),
    ],
)
@pytest.mark.parametrize("method", ["default", "goce", "trafilatura"])
def test_the_error_for_a_value_of_another_type_names_it(
    wrong: dict[str, Any], said: str, method: str
) -> None:
    with pytest.raises(TypeError, match=f"^{said}$"):
        installed(method).extract(**{"html": "<p>Some text", **wrong})


def test_the_error_for_another_type_of_page_says_so() -> None:
    with pytest.raises(TypeError, match=r"^a page is str; it must be an extraction\.Page$"):
        extractor("all-text").extract_many(["<p>Some text"])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"^page_type_scores is int; it must be Mapping or None$"):
        extract_many([Page("<p>Some text", page_type_scores=5)])  # type: ignore[arg-type]


@pytest.mark.parametrize("method", [5, None, [], "boosted"])
def test_the_error_for_what_is_no_method_lists_the_methods(method: Any) -> None:
    with pytest.raises(ValueError, match=r"^unknown extraction method .* one of default, all-text"):
        extract("<p>Some text", method=method)


@pytest.mark.parametrize("name", OWN)
def test_a_method_of_our_own_can_be_copied_and_sent_to_other_processes(name: str) -> None:
    method = extractor(name)
    assert isinstance(method, DomExtractor)
    paragraphs = "<p class=text>A sentence of some words, and a comma. </p>" * 9
    page = f"<h1>Title</h1>{paragraphs}<p>{'a ' * 9}"
    expected = method.extract(page)
    assert pickle.loads(pickle.dumps(method)).extract(page) == expected  # noqa: S301 - our own
    assert deepcopy(method).extract(page) == expected


def test_the_error_for_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"unknown extraction method 'nope'.*all-text"):
        extract("<p>", method="nope")


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "no_such_library", None)
    monkeypatch.setitem(registry._METHODS, "broken", "no_such_library:Method")
    with pytest.raises(ImportError, match="no_such_library"):
        extractor("broken")


def test_a_missing_library_that_an_extra_brings_is_told_with_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "keras", None)
    monkeypatch.setitem(registry._METHODS, "network", "keras:Model")
    said = "network: keras is not installed: pip install 'genre-crawler[genre]'"
    with pytest.raises(ImportError, match=f"^{re.escape(said)}$"):
        extractor("network")


def test_an_unreadable_page_has_a_readable_error() -> None:
    with pytest.raises(ExtractionError, match="page has more than 10,000,000 characters"):
        extract("x" * 10_000_001, method="all-text")

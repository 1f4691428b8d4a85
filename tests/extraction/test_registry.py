"""Methods by name."""

from __future__ import annotations

import sys

import pytest

from extraction import Extraction, ExtractionError, Extractor, extract, extractor, names, registry


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
    assert installed("default").name == registry.DEFAULT


@pytest.mark.parametrize("name", names())
def test_a_method_knows_its_name_and_shows_the_common_face(name: str) -> None:
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


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"no extraction method is called 'nope'.*all-text"):
        extract("<p>", method="nope")


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "no_such_library", None)
    monkeypatch.setitem(registry._METHODS, "broken", "no_such_library:Method")
    with pytest.raises(ImportError, match="no_such_library"):
        extractor("broken")


def test_what_cannot_be_read_is_said_in_words() -> None:
    with pytest.raises(ExtractionError, match="more than the 10,000,000 that are read"):
        extract("x" * 10_000_001, method="all-text")

"""The peers behind our interface: their own text, our errors, nothing fetched."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
from collections.abc import Callable

import pytest

from corpus_commons.markup.dom import MAX_CHARACTERS
from extraction import ExtractionError, extract, extractor, parse
from extraction.methods.base import LibraryExtractor

LIBRARY_OF = {
    "boilerpipe-article": "boilerpy3",
    "boilerpipe-default": "boilerpy3",
    "boilerpipe-canola": "boilerpy3",
    "trafilatura": "trafilatura",
    "trafilatura-precision": "trafilatura",
    "trafilatura-recall": "trafilatura",
    "readability": "readability",
    "justext": "justext",
    "resiliparse": "resiliparse",
    "newspaper": "newspaper",
}

PACKAGE_OF = {"newspaper": "newspaper4k", "readability": "readability-lxml"}

SENTENCES = (
    "It is one of the oldest bridges that are still in use in this part of the country, and the "
    "people of the town have always been proud of what their grandparents built by hand. ",
    "When the river rose in the spring of that year, the water came up to the road, but the "
    "stones held, as they had in all the years before, and nobody who lived there was surprised. ",
    "The engineers who looked at it later wrote that they would not have made it in another way, "
    "which was taken in the town for what it was: the highest praise that such people have. ",
)
ARTICLE = "".join(f"<p>{sentence * 3}</p>" for sentence in SENTENCES * 2)
PAGE = (
    "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>The old bridge</title></head>"
    "<body><nav><ul><li><a href=/>Home</a></li><li><a href=/news>News</a></li></ul></nav>"
    f"<article><h1>The old bridge</h1>{ARTICLE}</article>"
    "<footer><a href=/imprint>Imprint</a> <a href=/contact>Contact</a></footer></body></html>"
)


@pytest.fixture(params=LIBRARY_OF)
def method(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    pytest.importorskip(LIBRARY_OF[name])
    return name


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.usefixtures("no_network")
class TestEveryPeer:
    def test_the_article_is_kept_and_the_menu_is_not(self, method: str) -> None:
        extraction = extract(PAGE, method=method, url="https://bridge.example/old")
        for sentence in SENTENCES:
            assert sentence.strip() in extraction.text
        assert "Imprint" not in extraction.text
        assert extraction.method == method

    def test_bytes_are_decoded_as_all_methods_do(self, method: str) -> None:
        page = PAGE.replace("<meta charset=utf-8>", "").replace("bridges", "brücken")
        assert extract(page.encode("latin-1"), charset="latin-1", method=method) == extract(
            page, method=method
        )

    @pytest.mark.parametrize(
        "html",
        [
            "",
            " ",
            "text alone",
            "\0",
            "<",
            "<html>",
            "\ud800<p>\udfff a lone surrogate</p>",
            "<!--",
            "<script>x",
            "<table><td colspan=9007199254740991>x",
            '<?xml version="1.0" encoding="utf-16"?><html><body><p>x</p></body></html>',
            b"\xff\xfe\x00",
            b"\x89PNG\r\n\x1a\n\x00\x00",
            PAGE.replace("old", "o\0l\ud800d"),
            PAGE.replace("old", "o&#27;l\x1bd"),
            PAGE[:700],
            "<div>" * 20_000 + "x",
            "<b>x<p>" * 3_000,
        ],
        ids=range(18),
    )
    def test_any_input_gives_an_extraction_or_an_extraction_error(
        self, method: str, html: str | bytes
    ) -> None:
        text = ""
        with contextlib.suppress(ExtractionError):
            text = extract(html, method=method).text
        assert text == text.strip()
        # Control characters are commands for a terminal, not text.
        assert "\x1b" not in text
        # Lone surrogates cannot be encoded.
        assert text.encode().decode() == text

    def test_pages_beyond_the_limit_are_refused(self, method: str) -> None:
        with pytest.raises(ExtractionError, match="page has more than 10,000,000 characters"):
            extract("x" * (MAX_CHARACTERS + 1), method=method)

    def test_a_parsed_page_is_refused(self, method: str) -> None:
        with pytest.raises(ExtractionError, match="reads HTML, not a parsed page"):
            extract(parse(PAGE), method=method)

    def test_without_the_library_the_import_error_names_it(self, method: str) -> None:
        code = (
            f"import sys; sys.modules[{LIBRARY_OF[method]!r}] = None\n"
            f"from extraction.registry import extractor; extractor({method!r})"
        )
        if LIBRARY_OF[method] == "resiliparse":
            pytest.skip("it is required, for encoding detection")
        done = subprocess.run(  # noqa: S603 - our own interpreter
            [sys.executable, "-c", code], capture_output=True, text=True, check=False
        )
        package = PACKAGE_OF.get(LIBRARY_OF[method], LIBRARY_OF[method])
        assert done.stderr.splitlines()[-1] == (
            f"ImportError: {method} needs the package {package}: pip install {package}"
        )


class TestLibraryExtractor:
    class Library(LibraryExtractor):
        name = "library"

        def __init__(self, text_of: Callable[[str], str]) -> None:
            self._text_of = text_of

        def text_of(self, html: str, url: str | None) -> str:
            return self._text_of(html)

    def test_ordinary_pages_reach_the_library_as_they_are(self) -> None:
        assert self.Library(str).extract(PAGE).text == PAGE

    def test_nuls_and_lone_surrogates_do_not(self) -> None:
        assert self.Library(str).extract("a\0b\ud800c").text == "ab?c"

    @pytest.mark.parametrize("error", [RecursionError("deep"), ValueError("bad"), KeyError("k")])
    def test_what_the_library_raises_becomes_an_extraction_error(self, error: Exception) -> None:
        def fail(html: str) -> str:
            raise error

        with pytest.raises(ExtractionError, match=f"library: {type(error).__name__}") as caught:
            self.Library(fail).extract(PAGE)
        assert caught.value.__cause__ is error


class TestJusText:
    GERMAN = (
        "Die Brücke ist eine der ältesten, die in diesem Teil des Landes noch in Gebrauch sind, "
        "und die Leute der Stadt sind immer stolz auf das gewesen, was ihre Großeltern hier mit "
        "der Hand gebaut haben, als es noch keine Maschinen gab, die ihnen dabei helfen konnten. "
    )

    def test_stop_words_are_of_the_language_that_the_page_names(self) -> None:
        pytest.importorskip("justext")
        body = f"<body><p>{self.GERMAN}</p></body></html>"
        assert extract(f'<html lang="de-AT">{body}', method="justext").text == self.GERMAN.strip()
        assert extract(f"<html>{body}", method="justext").text == ""

    def test_a_language_without_stop_words_is_read_without_them(self) -> None:
        pytest.importorskip("justext")
        body = f"<body><p>{self.GERMAN}</p></body></html>"
        assert extract(f"<html lang=zh>{body}", method="justext").text == self.GERMAN.strip()


class TestReadability:
    def test_paragraphs_are_separated(self) -> None:
        pytest.importorskip("readability")
        paragraphs = extract(PAGE, method="readability").text.split("\n\n")
        assert (SENTENCES[0] * 3).strip() in paragraphs


class TestTrafilatura:
    def test_each_balance_has_its_name(self) -> None:
        pytest.importorskip("trafilatura")
        for name in ("trafilatura", "trafilatura-precision", "trafilatura-recall"):
            assert extractor(name).name == name

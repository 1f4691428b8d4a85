"""A title that is never closed does not swallow the page."""

from __future__ import annotations

import pytest

from corpus_commons.markup import parse
from corpus_commons.markup.title import close_title
from extraction import extract
from tests.cpu_time import bounded_time

PAGE = (
    "<html><head><title>Rain ends{}<script>var a = '<p>';</script></head><body>"
    "<p>After two days the rain ended, and everyone in the town went out for a walk.</p>"
    "<p>The river is still high, but nobody expects that it will leave its bed again.</p></body>"
)


def test_the_text_after_a_title_that_is_never_closed_is_read() -> None:
    assert "everyone in the town" in extract(PAGE.format("")).text


def test_a_closed_title_stays_as_it_is() -> None:
    page = PAGE.format("</TITLE >").encode()
    assert close_title(page) is page


@pytest.mark.parametrize("page", ["<title>", "<title>Rain", "<p>no title", "<titles><p>text", ""])
def test_nothing_to_close(page: str) -> None:
    assert close_title(page.encode()) == page.encode()


def test_the_title_of_a_picture_after_the_end_tag_is_no_matter() -> None:
    page = "<title>Rain</title><svg><title>Icon</title></svg><p>text"
    assert parse(page).texts == parse(close_title(page.encode()).decode()).texts


@pytest.mark.parametrize("part", [b"<title>", b"<title "])
def test_it_is_linear(part: bytes) -> None:
    with bounded_time():
        close_title(part * 500_000)

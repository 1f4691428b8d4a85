"""The site of a page, from its URL or from what it says."""

from __future__ import annotations

import pytest

from corpus_commons.markup import parse
from corpus_commons.markup.dom import MAX_CHARACTERS
from corpus_commons.markup.page_site import page_site

OTHERS = "<a href=http://friend.example.net/>" * 3


@pytest.mark.parametrize(
    "declaration",
    [
        "<link rel=canonical href=http://news.example.org/1>",
        "<link rel='shortlink Canonical' href=//news.example.org/1>",
        "<meta property=og:url content=https://www.example.org/1>",
        "<base href='HTTP://user@example.org:8080/'>",
    ],
)
def test_a_page_may_declare_its_site(declaration: str) -> None:
    assert page_site(declaration + OTHERS) == "example.org"


def test_the_url_counts_more_than_a_declaration() -> None:
    html = "<link rel=canonical href=http://example.org/1>"
    assert page_site(html, "http://a.example.co.uk/") == "example.co.uk"
    assert page_site(html, "") == "example.org"


def test_a_relative_declaration_declares_nothing() -> None:
    html = "<link rel=canonical href=/1><base href=/><meta property=og:url content=1>"
    assert page_site(html + OTHERS) == "example.net"


def test_otherwise_it_is_the_site_that_most_addresses_name() -> None:
    html = (
        "<script src=//cdn.example.org/a.js></script><img src=http://img.example.org/a.png>"
        "<a href=http://friend.example.net/><a href=/2><a href=mailto:a@example.com>"
        + "<a href=https://twitter.com/share>"
        * 9
    )
    assert page_site(html) == "example.org"
    assert page_site(parse(html)) == "example.org"


def test_third_parties_count_if_there_are_no_others() -> None:
    assert page_site("<a href=https://www.youtube.com/watch?v=1>") == "youtube.com"


def test_of_equally_frequent_sites_it_is_the_first() -> None:
    assert page_site("<a href=//b.example.net/><a href=//a.example.org/>") == "example.net"


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<a href=/1>",
        "<a href='http://[::1'>",
        "<a href=//127.0.0.1/>",
        pytest.param("<base href=//example.org/>" + " " * MAX_CHARACTERS, id="cannot be parsed"),
    ],
)
def test_a_page_that_names_no_site_has_none(html: str) -> None:
    assert page_site(html) == ""

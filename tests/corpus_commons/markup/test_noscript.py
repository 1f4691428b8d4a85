"""What is left open inside <noscript> does not swallow the rest of the page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.markup import parse
from corpus_commons.markup.noscript import close_noscript
from crawler.discovery.links import links_of
from extraction import extract
from tests.cpu_time import bounded_time

BEHIND = "<p>Body text</p><a href='/next'>next</a>"


@pytest.mark.parametrize(
    "content",
    [
        "<iframe src='https://tags.example/ns.html'/>",
        "<iframe src='https://tags.example/ns.html'>",
        "<IFRAME SRC=x HEIGHT=0>",
        "<iframe>a</iframe ",
        "<p hidden>a</p><style>p { color: red }",
        "<script>a()",
        "<textarea>a",
        "<img src='x",
        "<!-- tags -- ",
        "<!- tags",
    ],
)
@pytest.mark.parametrize("end", ["</noscript>", "</NoScript\n>"])
def test_what_is_left_open_ends_with_its_noscript(content: str, end: str) -> None:
    page = f"<body><noscript>{content}{end}{BEHIND}"
    assert extract(page, method="all-text").text == "Body text\n\nnext"
    [link] = links_of(parse(page), "https://example.org/").links
    assert link.canonical == "https://example.org/next"


def test_only_what_is_left_open_is_taken_out() -> None:
    page = b"<noscript><b>a</b><!-- c --><iframe></iframe>b<iframe>c</noscript>d<noscript>e"
    assert close_noscript(page) == page.replace(b"<iframe>c", b"")


@pytest.mark.parametrize(
    "page",
    [
        b"<noscript><p>a < b<img src=x><iframe src=y></iframe></noscript><p>c",
        b"<script>x = '<noscript><iframe/></noscript>'</script><p>c",
        b"<!-- <noscript><iframe></noscript> --><p>c",
        b"<p title='<noscript><iframe></noscript>'>c",
        b"<iframe></iframe><noscript>a</noscript><iframe><p>c",
        b"<noscript><iframe/><p>c",
        b"<noscript-x><iframe/></noscript>",
    ],
    ids=["closed", "script", "comment", "value", "outside", "without end", "another name"],
)
def test_all_else_is_left_as_it_is(page: bytes) -> None:
    assert close_noscript(page) == page


@pytest.mark.parametrize(
    "unit",
    [
        "<noscript>",
        "<noscript></noscript>",
        "<noscript><iframe></noscript>",
        "<noscript><!--</noscript>",
        "<noscript><script></noscript>",
        "<noscript><a b='</noscript>",
        "<noscript><",
        "<noscript><iframe></iframe",
    ],
)
def test_reading_is_linear(unit: str) -> None:
    page = (unit * 100_000).encode()
    with bounded_time():
        close_noscript(page)


PIECES = (
    "<noscript>",
    "</noscript>",
    "<iframe>",
    "</iframe>",
    "<!--",
    "-->",
    "<a b='",
    "'>",
    "x",
    "<",
)


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_what_is_closed_once_is_closed(page: str) -> None:
    closed = close_noscript(page.encode())
    assert close_noscript(closed) == closed

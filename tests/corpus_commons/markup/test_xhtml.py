"""XHTML with XML syntax, made readable for an HTML tree builder."""

from __future__ import annotations

import pytest

from corpus_commons.markup import parse
from corpus_commons.markup.tokens import RAW_TEXT
from corpus_commons.markup.xhtml import with_end_tags
from tests.cpu_time import bounded_time


@pytest.mark.parametrize(
    "name", [*sorted(name.decode() for name in RAW_TEXT), "a", "div", "SCRIPT"]
)
def test_an_element_that_ends_itself_holds_nothing(name: str) -> None:
    page = f'<html><body><{name} class="x"/><p>text</p></body></html>'.encode()
    dom = parse(with_end_tags(page))
    [paragraph] = dom.elements("p")
    assert dom.tags[dom.parents[paragraph]] == "body"
    assert dom.texts[paragraph + 1] == "text"


@pytest.mark.parametrize("attribute", [b'src="a.js?v=1"', b"src='=/'", b"a=b async", b'b=c d="="'])
def test_an_equals_sign_in_a_value_does_not_hide_the_end(attribute: bytes) -> None:
    page = b"<script %s/><p>text" % attribute
    assert with_end_tags(page) == b"<script %s></script><p>text" % attribute


@pytest.mark.parametrize(
    "page",
    [
        b"<p>one<br/>two<img src='a'/><hr /></p>",
        b"<!-- <script/> --><p title='<i/>'>text</p>",
        b"<script>write('<script/>')</script><style>a::before {content: '<i/>'}</style>",
        b"<a href=/up/>up</a>",
        b"<a rel=x href=?a=1&b=/>up</a>",
        b"<p>5 < 6 /> 7</p><script src='a'/",
        b"<textarea><i/>",
        b"<script>//<![CDATA[\nif (a < b) write('<p/>')\n//]]></script>",
        b"<p>text<![CDATA[ without <i/> end",
    ],
)
def test_all_else_stays_as_it_is(page: bytes) -> None:
    assert with_end_tags(page) == page


def test_a_section_of_characters_is_text() -> None:
    page = b"<p>a<![CDATA[ <b> text & more > ]]>c<i/></p><p><![CDATA[]]>d</p>"
    dom = parse(with_end_tags(page))
    assert "".join(dom.texts) == "a <b> text & more > cd"


def test_a_large_page_takes_no_longer_than_its_length() -> None:
    with bounded_time():
        assert len(with_end_tags(b"<i/>" * 250_000)) == 7 * 250_000
        with_end_tags(b"<" * 1_000_000)
        with_end_tags(b"<a /" * 250_000)
        with_end_tags(b"<![CDATA[" * 100_000)
        with_end_tags(b"<i " + b"=" * 250_000 + b" />")

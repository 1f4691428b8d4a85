"""What a page declares as a shadow root is shown, so it is part of the page."""

from __future__ import annotations

import pytest

from corpus_commons.markup import parse
from corpus_commons.markup.shadow_roots import place_shadow_roots
from crawler.discovery.links import links_of
from extraction import extract
from tests.cpu_time import bounded_time


@pytest.mark.parametrize(
    "tag",
    [
        "<template shadowrootmode=open>",
        "<template shadowrootmode='closed' shadowrootdelegatesfocus>",
        '<TEMPLATE id="a" shadowrootmode = "Open"\n>',
    ],
)
def test_the_content_of_a_root_is_that_of_its_element(tag: str) -> None:
    root = f"{tag}<style>p {{ color: red }}</style><p>Of the <a href=/root>root</a></p></template>"
    page = f"<body><my-text>{root}<p>its own</p></my-text>"
    assert extract(page, method="all-text").text == "Of the root\n\nits own"
    [link] = links_of(parse(page), "https://example.org/").links
    assert link.canonical == "https://example.org/root"
    dom = parse(page)
    assert [dom.tags[dom.parents[node]] for node in dom.elements("p")] == ["my-text", "my-text"]


def test_a_root_in_a_root_is_one_and_a_template_in_it_is_none() -> None:
    root = b"<template shadowrootmode=open>"
    page = (
        b"<a-b>" + root + b"1<template>2" + root + b"3</template></template>4<c-d>" + root + b"5"
        b"</template></c-d>6</template>7</a-b>"
    )
    shown = b"<a-b>1<template>2" + root + b"3</template></template>4<c-d>5</c-d>67</a-b>"
    assert place_shadow_roots(page) == shown
    assert extract(page, method="all-text").text == "14567"


def test_roots_with_less_than_the_rest_are_buttons_and_menus() -> None:
    root = b"<my-vote><template shadowrootmode=open>%b<button>Yes</button></template></my-vote>"
    page = b"<script>%b</script><p>After two days the rain ended." % (b"a()" * 50)
    page += b"<template>%b</template>" % (b"row" * 50)
    for text in (b"", b"<style>%b</style>" % (b"p{}" * 50), b" " * 500):
        assert place_shadow_roots(page + root % text) == page + root % text
    assert extract(page + root % (b"Was it of use?" * 5), method="all-text").text.endswith("Yes")


@pytest.mark.parametrize(
    "page",
    [
        b"<template><p>a</template>",
        b"<template shadowrootmode><p>a</template>",
        b"<template shadowrootmode=none><p>a</template>",
        b"<template data-shadowrootmode=open><p>a</template>",
        b"<script>'<template shadowrootmode=open></template>'</script>",
        b"<!-- <template shadowrootmode=open></template> -->",
        b"<p title='<template shadowrootmode=open></template>'>c",
        b"</template><p>shadowrootmode=open",
        b"<template-x shadowrootmode=open>",
    ],
)
def test_all_else_is_left_as_it_is(page: bytes) -> None:
    assert place_shadow_roots(page) == page


@pytest.mark.parametrize(
    "part",
    [
        b"<template shadowrootmode=open>",
        b"<template>",
        b"</template>",
        b"<template shadowrootmode=",
    ],
)
def test_it_is_linear(part: bytes) -> None:
    with bounded_time():
        place_shadow_roots(b"<template shadowrootmode=open>" + part * 200_000)

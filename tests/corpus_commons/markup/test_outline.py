"""The outline of a page says of its elements what the whole page does."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_commons.markup import MarkupError, parse
from corpus_commons.markup.outline import Outline

PARTS = (
    "<meta name=robots content=noindex>",
    "<META NAME='a' name=b content='&#x6e;o&amp;'>",
    "<meta>",
    "<svg><meta name=c></svg>",
    "<template>",
    "</template>",
    "<div><template shadowrootmode=open>",
    "<noscript>",
    "</noscript>",
    "<!--",
    "-->",
    "<title>",
    "</title>",
    "<script>",
    "</script>",
    "<table><tr>",
    "<select>",
    "</head>",
    "<body a=b>",
    "text",
    "\0",
)


@given(st.lists(st.sampled_from(PARTS), max_size=12).map("".join))
@settings(max_examples=300)
def test_it_has_the_elements_of_the_page(html: str) -> None:
    page, outline = parse(html), Outline(html)
    for tag in ("meta", "body", "td"):
        assert list(outline.attributes_of(tag)) == list(page.attributes_of(tag))


def test_a_page_that_is_too_large_has_none() -> None:
    with pytest.raises(MarkupError):
        Outline("x" * 10_000_001)

"""All formats have the same words for any page, and are written in bounded time."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nasty_pages import FILES, GROWN
from shown_words import RENDERER, words

from extraction import parse
from extraction.formats import Content, write
from extraction.page.segmentation import segment
from extraction.page.selection import Selection
from tests.cpu_time import bounded_time

URL = "https://example.org/a/b.html"
ALLOWED = frozenset(
    "h1 h2 h3 h4 h5 h6 p ul ol dl li dt dd blockquote pre code table tr td th br "
    "a img strong em s sub sup".split()
)


def check(page: str | bytes, kept_blocks: list[bool], kept_nodes: list[bool]) -> None:
    """All formats have the same words, and the HTML holds nothing but what is allowed.

    HTML has superscripts where the others have signs, and signs around formulas.
    """
    segmentation = segment(parse(page))
    kept = np.resize(np.array(kept_blocks), len(segmentation) + 1)[segmentation.block_of]
    kept &= np.resize(np.array(kept_nodes), len(kept))
    selection = Selection(segmentation, kept & (segmentation.block_of >= 0))
    content = Content(selection.blocks(), selection, base=URL)
    plain = _unsigned(write(content, "text").split())
    raised = _unsigned(segmentation.texts_of(selection.kept, superscripts=True))
    fragment_ = write(content, "html")
    assert _unsigned(words(fragment_)) == raised
    dom = parse(fragment_)
    assert set(dom.tags) <= ALLOWED | {"#text", "html", "head", "body", "tbody"}
    assert {name for attributes in dom.attributes for name in attributes} <= {"href"}
    assert _unsigned(words("".join(_tagged(dom)))) == raised
    assert _unsigned(words(RENDERER.render(write(content, "markdown")))) == plain


def _unsigned(texts: Iterable[str]) -> list[str]:
    """The words without what may be a sign around a formula."""
    return re.sub(r"\\[()\[\]]", "", " ".join(texts)).split()


def _tagged(dom) -> list[str]:
    """The text of the parsed page, with a marker where elements begin and end."""
    ends: list[list[str]] = [[] for _ in range(len(dom) + 1)]
    pieces = []
    for node, tag in enumerate(dom.tags):
        pieces += ends[node]
        pieces.append(f"<{tag}>" if tag != "#text" else html.escape(dom.texts[node]))
        if tag != "#text":
            ends[dom.ends[node]].append(f"</{tag}>")
    return pieces


masks = st.lists(st.booleans(), min_size=1, max_size=7)
ALL = [True]


@pytest.mark.parametrize("page", FILES.values(), ids=FILES.keys())
def test_nasty_pages_have_the_same_words_in_every_format(page) -> None:
    check(page.read_bytes(), ALL, ALL)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(sorted(FILES)), masks, masks)
def test_so_has_any_kept_part_of_them(name: str, blocks: list[bool], nodes: list[bool]) -> None:
    check(FILES[name].read_bytes(), blocks, nodes)


@pytest.mark.parametrize("made", GROWN.values(), ids=GROWN.keys())
def test_so_have_grown_nasty_pages(made) -> None:
    check(made(4_000), [True, True, False], ALL)


FRAGMENTS = (
    "<p> </p> <div> </div> <ul> <ol> <ol¤start=7> </ul> </ol> <li> </li> <dl> <dt> <dd> "
    "<blockquote> </blockquote> <table> <tr> <td> <th> <td¤colspan=3> <td¤rowspan=2> </table> "
    "<pre> </pre> <code> </code> <b> </b> <i> </i> <s> </s> <del> </del> <sup> </sup> "
    "<a¤href=/x_(y)> </a> <h1> </h1> <br> <hr> word ¤ 中文 。 * ** _ __ ` `` ~ ~~ [ ] ( ) [a](b) "
    "[a]:¤b \\ ! &lt; &lt;b&gt; &amp;amp; & # #¤x -¤ - --- === + 1. 1) &gt; | a|b :-- --- ¤x "
    'http://a.b " . &shy; &nbsp; é n <q> </q> &zwj; م $ x_1 '
    "<math><annotation¤encoding=TeX>x_1 </math>"
).split()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14), masks, masks)
def test_so_has_any_page(fragments: list[str], blocks: list[bool], nodes: list[bool]) -> None:
    check(f"<body>{''.join(fragments).replace('¤', ' ')}", blocks, nodes)


@pytest.mark.parametrize("made", GROWN.values(), ids=GROWN.keys())
def test_large_pages_are_read_and_written_in_bounded_time_and_space(made) -> None:
    page = made(250_000)
    with bounded_time():
        segmentation = segment(parse(page))
        selection = Selection(segmentation, segmentation.block_of >= 0)
        content = Content(selection.blocks(), selection, base=URL)
        for form in ("markdown", "html"):
            assert len(write(content, form)) < 40 * len(page)

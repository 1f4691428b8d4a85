"""Segmentation of a page into blocks, and their properties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.markup.tags import INVISIBLE
from extraction import Block, extract, parse
from extraction.page.blocks import join
from extraction.page.segmentation import segment


def kinds(body: str) -> list[tuple[str, str]]:
    blocks = extract(f"<body>{body}</body>", method="all-text").blocks
    return [(block.kind, block.text) for block in blocks]


def test_every_block_has_its_role() -> None:
    body = (
        "<h2>T</h2><p>p</p><ul><li>i</ul><pre>c</pre><table><tr><td>a<td>b</table>"
        "<li><h3>in an item</h3></li><table><tr><td>alone</table>"
    )
    assert kinds(body) == [
        ("heading", "T"),
        ("paragraph", "p"),
        ("list-item", "i"),
        ("code", "c"),
        ("table-row", "a\tb"),
        ("heading", "in an item"),
        ("paragraph", "alone"),
    ]


def test_join_tightens_items_and_rows_only() -> None:
    blocks = (
        Block("H", "heading"),
        Block("a", "list-item"),
        Block("b", "list-item"),
        Block("1\t2", "table-row"),
        Block("3\t4", "table-row"),
        Block("c", "code"),
        Block("d", "code"),
    )
    assert join(blocks) == "H\n\na\nb\n\n1\t2\n3\t4\n\nc\n\nd"
    assert join(()) == ""


def test_blocks_know_their_nodes_and_containers() -> None:
    dom = parse("<div>a <b>b</b> <p>c</p></div>")
    segmentation = segment(dom)
    assert segmentation.texts == ["a b", "c"]
    assert [dom.texts[node] for node in segmentation.firsts] == ["a ", "c"]
    assert [dom.texts[node] for node in segmentation.lasts] == ["b", "c"]
    assert [dom.tags[node] for node in segmentation.containers] == ["div", "p"]


def test_dropping_a_node_leaves_a_space_in_its_place() -> None:
    dom = parse("<p>keep<a>drop</a>this<p>gone")
    segmentation = segment(dom)
    kept = np.array([text not in ("drop", "gone") for text in dom.texts])
    assert segmentation.texts_of(kept) == ["keep this", ""]
    assert [block.text for block in segmentation.kept_blocks(kept)] == ["keep this"]


def test_code_keeps_its_first_column_after_text_that_is_dropped() -> None:
    dom = parse("<p>gone<pre>if x:\n    y</pre><p>keep <a>drop</a>")
    kept = np.array([text not in ("gone", "drop") for text in dom.texts])
    assert segment(dom).texts_of(kept) == ["", "if x:\n    y", "keep"]


def test_probabilities_of_cells_are_averaged_over_their_row() -> None:
    segmentation = segment(parse("<table><tr><td>a<td>b</table><p>c"))
    blocks = segmentation.kept_blocks(segmentation.block_of >= 0, [0.2, 0.6, 0.9])
    assert [(block.text, block.probability) for block in blocks] == [
        ("a\tb", pytest.approx(0.4)),
        ("c", 0.9),
    ]


def test_classifiers_read_the_text_as_it_stands() -> None:
    segmentation = segment(parse("<p>10<sup>15</sup> <a href='#x'>¶</a><p><a>a</a><a>, b</a>"))
    assert segmentation.texts == ["1015 ¶", "a , b"]
    assert segmentation.texts_of(segmentation.block_of >= 0) == ["10^15", "a, b"]


def test_only_the_shown_text_is_cut_into_blocks() -> None:
    dom = parse("<p>a<p>b")
    shown = np.array([text == "b" for text in dom.texts])
    assert segment(dom, shown).texts == ["b"]


bodies = st.lists(
    st.one_of(
        st.sampled_from(
            "<p> </p> <div> </div> <br> <b> </b> <a> <pre> </pre> <table> <tr> <td> <li> <ul> "
            "<script> </script> <noscript> <h1> &nbsp; &shy;".split()
        ),
        st.text(max_size=6),
    ),
    max_size=40,
).map("".join)


@given(bodies)
def test_blocks_hold_all_visible_characters_and_no_others(body: str) -> None:
    dom = parse(f"<body>{body}")
    shown = "".join(dom.texts[node] for node in np.flatnonzero(dom.visible & dom.is_text))
    segmentation = segment(dom)
    drop_space = str.maketrans("", "", INVISIBLE)
    assert "".join(segmentation.texts).translate(drop_space) == shown.translate(drop_space)


@given(bodies)
def test_blocks_are_intervals_in_reading_order(body: str) -> None:
    segmentation = segment(parse(f"<body>{body}"))
    in_blocks = segmentation.block_of[segmentation.block_of >= 0]
    assert (np.diff(in_blocks) >= 0).all()
    assert set(in_blocks.tolist()) == set(range(len(segmentation)))
    for block, (first, last) in enumerate(
        zip(segmentation.firsts, segmentation.lasts, strict=True)
    ):
        assert first <= last
        assert segmentation.block_of[first] == segmentation.block_of[last] == block


@given(bodies)
def test_text_has_no_stray_space(body: str) -> None:
    for kind, block in kinds(body):
        assert block
        if kind == "table-row":
            assert block == block.strip(" \n").rstrip()
            assert "  " not in block
        elif kind != "code":
            assert block == block.strip()
            assert "  " not in block
            assert "\n\n" not in block

"""What the text of a page looks like."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction import Block, extract, parse
from extraction.blocks import join, segment
from markup.tags import INVISIBLE


def text(body: str) -> str:
    return extract(f"<body>{body}</body>", method="all-text").text


def kinds(body: str) -> list[tuple[str, str]]:
    blocks = extract(f"<body>{body}</body>", method="all-text").blocks
    return [(block.kind, block.text) for block in blocks]


CASES = {
    "paragraphs are separated by a blank line": ("<p>a</p><p>b</p>", "a\n\nb"),
    "divisions are, too": ("<div>a<div>b</div>c</div>", "a\n\nb\n\nc"),
    "headings stand alone": ("<h1>T</h1>text<h2>S</h2>more", "T\n\ntext\n\nS\n\nmore"),
    "list items follow each other": ("<ul><li>a<li>b</ul>", "a\nb"),
    "a paragraph before a list is set apart": ("<p>x<ul><li>a<li>b</ul>y", "x\n\na\nb\n\ny"),
    "nested lists are a line an item": ("<ul><li>a<ul><li>b</ul><li>c</ul>", "a\nb\nc"),
    "terms and definitions are list items": ("<dl><dt>a<dd>b<dt>c<dd>d</dl>", "a\nb\nc\nd"),
    "<br> is a line break": ("<p>a<br>b<br/>c</p>", "a\nb\nc"),
    "space round <br> is dropped": ("<p>a <br>\n  b</p>", "a\nb"),
    "two <br> are an empty line": ("a<br><br>b<br>\n<br>c", "a\n\nb\n\nc"),
    "many <br> are one empty line": ("a<br><br><br><br>b", "a\n\nb"),
    "<hr> parts paragraphs": ("a<hr>b", "a\n\nb"),
    "white space is collapsed": ("<p> a \n\t b  <i> c</i>\n</p>", "a b c"),
    "no-break space is a space": ("a&nbsp;b&nbsp; c", "a b c"),
    "white space of <pre> is kept": ("<pre>a\n  b\n\n c</pre>", "a\n  b\n\n c"),
    "newlines round <pre> are dropped": ("<pre>\n\na\n b\n\n</pre>", "a\n b"),
    "the indent of the first line is kept": ("<pre>\n  a\n b</pre>", "  a\n b"),
    "<br> in <pre> is a line": ("<pre>a<br>b</pre>", "a\nb"),
    "code in <pre> is not torn": ("<pre><i>f</i><b>(</b><code>x)</code></pre>", "f(x)"),
    "a row is a line of cells": (
        "<table><tr><th>a<th>b<tr><td>c<td>d</table>",
        "a\tb\nc\td",
    ),
    "an empty cell is left out": ("<table><tr><td>a<td><td>b</table>", "a\tb"),
    "a table that lays out a page is not a row": (
        "<table><tr><td><p>a<p>b<td>c</table>",
        "a\n\nb\n\nc",
    ),
    "a table of one column is paragraphs": ("<table><tr><td>a<tr><td>b</table>", "a\n\nb"),
    "rows of a table in a cell are rows": (
        "<table><tr><td>x<table><tr><td>a<td>b</table></table>",
        "x\n\na\tb",
    ),
    "inline elements that touch are set apart": ("<a>News</a><a>Sport</a>", "News Sport"),
    "so are elements inside them": ("<a><b>News</b></a><span>Sport</span>", "News Sport"),
    "a drop cap is part of its word": ("<p><span>D</span>rop</p>", "Drop"),
    "a change of typeface is part of a word": ("<b>bold</b><i>italic</i>", "bolditalic"),
    "subscripts are part of a word": ("H<sub>2</sub>O", "H2O"),
    "parts of inline code are not torn": ("<code><span>a</span><span>.b</span></code>", "a.b"),
    "a comment does not part words": ("wo<!-- x -->rd", "word"),
    "a hidden element parts nothing": ("wo<script>x</script>rd", "word"),
    "soft hyphens are not text": ("hy\u00adphen&shy;ate", "hyphenate"),
    "zero-width characters are not text": ("a\u200bb\ufeffc\u2060d", "abcd"),
    "zero-width joiners shape letters": (
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    ),
    "<wbr> does not part a word": ("super<wbr>cali", "supercali"),
    "Chinese is not spaced": ("<p>中文<b>网</b>页</p>", "中文网页"),
    "right-to-left text stays in reading order": ("<p dir=rtl>שלום <b>עולם</b></p>", "שלום עולם"),
    "private-use characters are text": ("a\ue000b", "a\ue000b"),
    "named and numbered references are read": ("&lt;p&gt; &#8364; &euro;", "<p> € €"),
    "invalid references are left or replaced": ("&nosuch; &#x110000; &", "&nosuch; \ufffd &"),
    "lone surrogates are replaced": ("a\ud800b", "a?b"),
    "NULs are dropped": ("a\0b", "ab"),
    "plain text after <plaintext>": ("a<plaintext>b</p>", "a\n\nb</p></body>"),
    "an empty page has no text": ("", ""),
    "invisible characters are no block": ("<p>\u200b&nbsp;</p><p>a</p>", "a"),
    "options and buttons stand alone": (
        "<select><option>a<option>b</select><button>c</button>",
        "a\n\nb\n\nc",
    ),
    "captions and quotations stand alone": (
        "<figure><figcaption>a</figcaption></figure><blockquote>b</blockquote>c",
        "a\n\nb\n\nc",
    ),
}


@pytest.mark.parametrize(("body", "expected"), CASES.values(), ids=CASES.keys())
def test_text(body: str, expected: str) -> None:
    assert text(body) == expected


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
        if kind != "code":
            assert block == block.strip()
            assert "  " not in block
            assert "\n\n" not in block

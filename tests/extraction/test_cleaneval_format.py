"""CleanEval's ``<h> <p> <l>`` format."""

from __future__ import annotations

from extraction.page.blocks import Block
from extraction.result import Extraction
from extraction.training.cleaneval import tagged


def test_each_block_has_the_tag_of_its_kind() -> None:
    blocks = (
        Block("News", "heading"),
        Block("It rained."),
        Block("umbrella", "list-item"),
        Block("a\tb", "table-row"),
    )
    assert tagged(Extraction("", blocks)).split("\n\n") == [
        "<h>News", "<p>It rained.", "<l>umbrella", "<p>a\tb",
    ]  # fmt: skip


def test_plain_text_has_a_tag_for_each_paragraph() -> None:
    assert tagged(Extraction("One\nline.\n\n\nTwo.")) == "<p>One\nline.\n\n<p>Two."


def test_preformatted_text_is_split_at_its_empty_lines() -> None:
    assert tagged(Extraction("", (Block("a\n b\n \nc", "code"),))) == "<p>a\n b\n\n<p>c"


def test_nothing_gives_nothing() -> None:
    assert tagged(Extraction("")) == ""

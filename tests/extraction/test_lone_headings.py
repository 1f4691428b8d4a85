"""Headings that are left with nothing below them."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from structured import ARTICLE, DOCUMENTATION, OTHER, PROSE, SURE, kept_of

from extraction.methods.boosted_blocks.page_judgement import Likeness

ENTRIES = ("Roman", "Gothic")
CONTENTS = "<h2>Table of Contents</h2><ul><li>Roman<li>Gothic</ul>"
LINE = "A bridge over the river, and what it carries today."


def kept(html: str, sure: Iterable[str], of: Likeness) -> list[str]:
    return kept_of(html, dict.fromkeys(["Stone", *sure], SURE), of)


@pytest.mark.parametrize("end", ["<h3>More on this story</h3>", "<p>Related:", "<h2>x</h2><h3>y:"])
def test_an_article_ends_with_its_text(end: str) -> None:
    sure = ["More on this story", "Related:", "x", "y:"]
    page = f"<h1>Stone</h1><p>{PROSE}</p>{end}"
    assert kept(page, sure, ARTICLE) == ["Stone", "…"]
    assert len(kept(page, sure, OTHER)) > 1


def test_a_heading_with_text_below_it_stays() -> None:
    page = f"<p>{PROSE}</p><h2>More on stone</h2><p>Read it.</p>"
    assert kept(page, ["More on stone", "Read it."], ARTICLE) == (
        ["…", "More on stone", "Read it."]
    )


def test_long_announcements_stay() -> None:
    said = "Now have a look at the pictures below:"
    assert kept(f"<p>{PROSE}</p><p>{said}", [said], ARTICLE) == ["…", said]


def test_an_article_may_be_written_in_headings() -> None:
    page = f"<p>Photo</p><h2>{LINE}</h2><h2>{LINE[2:]}</h2>"
    assert len(kept(page, ["Photo", LINE, LINE[2:]], ARTICLE)) == 3


@pytest.mark.parametrize("of", [ARTICLE, DOCUMENTATION])
def test_a_table_of_contents_is_named_with_its_entries(of) -> None:
    page = f"<h1>Stone</h1>{CONTENTS}<p>{PROSE}</p>"
    assert kept(page, ["Table of Contents"], of) == ["Stone", "…"]
    assert kept(page, ["Table of Contents", *ENTRIES], of) == (
        ["Stone", "Table of Contents", *ENTRIES, "…"]
    )


def test_a_table_of_contents_that_a_script_would_make_is_not_named() -> None:
    page = f"<h1>Stone</h1><h2>In this article:</h2><ul></ul><p>{LINE}</p><p>{PROSE}</p>"
    assert kept(page, ["In this article:", LINE], ARTICLE) == ["Stone", LINE, "…"]


def test_what_a_box_contains_is_no_table_of_contents() -> None:
    page = f"<h2>Contents</h2><p>{LINE}</p><p>{PROSE}</p>"
    assert kept(page, ["Contents", LINE], OTHER) == ["Contents", LINE, "…"]

"""Lists that lay out a page are none in Markdown and HTML."""

from __future__ import annotations

import pytest
from formatted import fragment, markdown
from shown_words import words

SAID = "word " * 30
POST = f"<div><p>{SAID}a<p>{SAID}b<p>c</div>"


@pytest.mark.parametrize("tag", ["ul", "ol"])
def test_posts_are_no_items(tag: str) -> None:
    page = f"<h1>Thread</h1><{tag}><li>{POST}<li>{POST}</{tag}>"
    post = f"{SAID}a\n\n{SAID}b\n\nc"
    assert markdown(page) == f"# Thread\n\n{post}\n\n{post}"
    assert "<li>" not in fragment(page)
    assert words(fragment(page)) == markdown(page).removeprefix("# ").split()


def test_posts_in_articles_may_be_short() -> None:
    post = f"<article>{SAID}</article>"
    assert markdown(f"<ul><li>{post}<li>{post}</ul>") == f"{SAID.strip()}\n\n{SAID.strip()}"


@pytest.mark.parametrize(
    "body",
    [
        f"<p>{SAID * 9}<ol><li>{POST}<li>{POST}</ol>",
        f"<ol><li><p>{SAID}a<p>{SAID}b<p>c<li><p>{SAID}a<p>{SAID}b<p>c</ol>",
        "<ul><li><div><p>Name<p>Price<p>Place</div><li><div><p>x<p>y<p>z</div></ul>",
    ],
    ids=["steps in a text", "texts without boxes", "cards"],
)
def test_other_lists_of_several_paragraphs_are_lists(body: str) -> None:
    assert fragment(body).count("<li>") == 2


def test_the_heading_of_a_page_is_no_item() -> None:
    page = "<ul><li><h1>A</h1><p>b</p><li>c</ul><ul><li>d</ul>"
    assert markdown(page) == "# A\n\nb\n\nc\n\n- d"


def test_a_list_of_lists_gives_way_to_them() -> None:
    page = "<ul><li><ul><li>a<li>b</ul><li><ul><li>c</ul></ul>"
    assert markdown(page) == "- a\n- b\n\n* c"
    assert fragment(page) == ("<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<ul>\n<li>c</li>\n</ul>")


def test_numbers_are_not_lost() -> None:
    assert markdown("<ol><li><ul><li>a<li>b</ul><li><ul><li>c</ul></ol>") == (
        "1. - a\n   - b\n2. - c"
    )


def test_replies_below_a_post_are_still_a_list() -> None:
    replies = "<ul><li><div>yes</div><li><div>no</div></ul>"
    page = f"<ul><li>{POST}{replies}<li>{POST}</ul>"
    assert "c\n\n- yes\n- no\n\nword" in markdown(page)


def test_posts_in_quotations_are_neither_quoted_nor_items() -> None:
    post = "<blockquote class='postcontent restore'>Yes:<ol><li>a<li>b</ol></blockquote>"
    page = f"<ol><li><div>{post}</div><li><div>{post}</div></ol>"
    assert markdown(page) == "Yes:\n\n1. a\n2. b\n\nYes:\n\n1. a\n2. b"
    assert markdown(page.replace("postcontent", "quote")).startswith("1. > Yes:")

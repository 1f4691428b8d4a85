"""The blocks of a page that was read, which the live page shows."""

from __future__ import annotations

from crawler.html import Html
from pipelines.reading.content import ContentTask
from pipelines.reading.page_blocks import MOST_BLOCKS, MOST_CHARACTERS, PageBlocks
from pipelines.reading.page_reader import PageReader

WORDS = "It rained on the harbour all day, and the boats stayed where they were. "
PAGE = f"""<title>Rain</title>
<nav><ul><li><ul><li><a href=/a>Start</a></li></ul></li></ul></nav>
<main><h1>Rain</h1>{f"<div><p>{WORDS * 3}</p></div>" * 4}</main>
<footer>Imprint<p hidden>Unseen</p></footer>"""
READER = PageReader()


def blocks(html: str, method: str = "boosted-blocks") -> PageBlocks | None:
    task = ContentTask(Html(html), "https://example.com/", method, with_blocks=True)
    return READER.content(READER.parse(task)).blocks


def test_they_are_all_that_is_visible_and_say_what_was_kept() -> None:
    found = blocks(PAGE)
    assert found is not None
    assert found.is_whole
    assert [(block.text[:7], block.elements, block.kept) for block in found.blocks] == [
        ("Start", ("nav", "ul", "li"), False),
        ("Rain", ("main", "h1"), True),
        *[("It rain", ("main", "p"), True)] * 4,
        ("Imprint", ("footer",), False),
    ]


def test_other_methods_tell_it_too_but_not_libraries() -> None:
    found = blocks(PAGE, "goce")
    assert found is not None
    assert (found.blocks[0].text, len(found.blocks)) == ("Start", 7)
    assert blocks(PAGE, "trafilatura") is None


def test_nothing_is_told_to_who_does_not_ask() -> None:
    task = ContentTask(Html(PAGE), "https://example.com/", "boosted-blocks")
    assert READER.content(READER.parse(task)).blocks is None


def test_they_have_an_end() -> None:
    many = blocks(f"<p>{WORDS}</p>" + "<li>word</li>" * MOST_BLOCKS)
    long = blocks(f"<p>{WORDS * 2}</p>" * (MOST_CHARACTERS // len(WORDS)))
    assert many is not None
    assert long is not None
    assert (len(many.blocks), many.is_whole) == (MOST_BLOCKS, False)
    assert (sum(len(block.text) for block in long.blocks), long.is_whole) == (
        MOST_CHARACTERS,
        False,
    )

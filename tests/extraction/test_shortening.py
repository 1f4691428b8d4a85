"""Articles with a little of their content, which training learns from, too."""

from __future__ import annotations

import pytest
from bridge_article import SENTENCE

from corpus_commons.markup.dom import parse
from extraction.labelled import LabelledPage
from extraction.methods.boosted_blocks.batch import Batch
from extraction.methods.boosted_blocks.labels import block_labels
from extraction.methods.boosted_blocks.shortening import shortened
from extraction.methods.boosted_blocks.view import all_blocks

PARAGRAPHS = [f"Paragraph {number}. {SENTENCE}".strip() for number in range(20)]
AROUND = ["News", "About Ann: she writes about bridges and ships for us, and has two cats."]
HTML = (
    f"<title>A new bridge</title><nav><a href=/n>{AROUND[0]}</a></nav>"
    "<article><h1>A new bridge</h1>"
    + "".join(
        f"<section><p>{text}</p><figure><img src={number}.jpg></figure></section>"
        for number, text in enumerate(PARAGRAPHS)
    )
    + f"</article><aside><p>{AROUND[1]}</aside>"
)
PAGES = range(24)


def page(number: int, html: str = HTML, gold: tuple[str, ...] = (*PARAGRAPHS,)) -> LabelledPage:
    return LabelledPage(id=str(number), html=html, gold_text="\n".join(("A new bridge", *gold)))


def short_form(whole: LabelledPage) -> LabelledPage | None:
    batch = Batch([all_blocks(parse(whole.html))])
    return shortened(whole, block_labels(batch.texts, whole.gold_text), batch.words)


@pytest.mark.parametrize("number", PAGES)
def test_a_stretch_of_the_content_is_left_and_all_that_is_around_it(number: int) -> None:
    short = short_form(page(number))
    assert short is not None
    heading, *left = short.gold_text.splitlines()
    assert heading == "A new bridge"
    first = PARAGRAPHS.index(left[0])
    assert left == PARAGRAPHS[first : first + len(left)]
    shown = [text for text in parse(short.html).texts if text]
    assert shown == ["A new bridge", AROUND[0], heading, *left, AROUND[1]]


def test_the_stretches_are_of_one_paragraph_or_many_but_not_of_all() -> None:
    left = {short.gold_text.count("\n") for n in PAGES if (short := short_form(page(n)))}
    assert min(left) == 1
    assert 10 <= max(left) < 20


def test_of_what_is_left_out_pictures_stay_on_some_pages_and_nothing_on_others() -> None:
    for number in PAGES:
        short = short_form(page(number))
        assert short is not None
        stretch = short.gold_text.count("\n")
        dom = parse(short.html)
        assert (dom.tags.count("section"), dom.tags.count("img")) in {(stretch,) * 2, (20, 20)}
        assert dom.tags.count("p") == stretch + 1
    # Both happen among so many pages.
    pictures = {
        parse(short.html).tags.count("img") for n in PAGES if (short := short_form(page(n)))
    }
    assert 20 in pictures
    assert 1 in pictures


def test_a_page_is_always_shortened_alike() -> None:
    assert short_form(page(3)) == short_form(page(3))


@pytest.mark.parametrize(
    ("html", "gold"),
    {
        "no content": (HTML, ()),
        "a text that is short": (
            "<h1>A new bridge</h1><p>It is a fine one.",
            ("It is a fine one.",),
        ),
        "a single paragraph": (f"<p>{SENTENCE * 9}", ((SENTENCE * 9).strip(),)),
        "nothing": ("", ()),
    }.values(),
    ids=["no content", "a short text", "a single paragraph", "nothing"],
)
def test_what_cannot_be_shorter_has_no_short_form(html: str, gold: tuple[str, ...]) -> None:
    assert short_form(page(0, html, gold)) is None

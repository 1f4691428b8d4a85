"""Articles with a made discussion below, which training learns from, too."""

from __future__ import annotations

import re

import pytest
from bridge_article import ARTICLE, SENTENCE

from corpus_commons.markup.dom import parse
from extraction.labelled import LabelledPage
from extraction.methods.boosted_blocks.batch import Batch
from extraction.methods.boosted_blocks.discussions import Talks, discussed, talks_of
from extraction.methods.boosted_blocks.labels import block_labels
from extraction.methods.boosted_blocks.view import all_blocks

TALKS = (("Ships pass <under> it.", "I was there."), ("An answer & more.", "It is not so."))
GOLD = "\n".join(f"{number}. {SENTENCE * 3}" for number in range(8))
PAGES = range(24)


def page(number: int, html: str = ARTICLE) -> LabelledPage:
    return LabelledPage(id=str(number), html=html, gold_text=GOLD)


def with_discussion(whole: LabelledPage, talks: Talks = TALKS) -> LabelledPage | None:
    batch = Batch([all_blocks(parse(whole.html))])
    return discussed(whole, block_labels(batch.texts, whole.gold_text), batch.words, talks)


def made(number: int) -> LabelledPage:
    found = with_discussion(page(number))
    assert found is not None
    return found


def added(html: str) -> list[str]:
    """The texts of a page that the article does not have."""
    before = all_blocks(parse(ARTICLE)).texts
    return [text for text in all_blocks(parse(html)).texts if text not in before]


@pytest.mark.parametrize("number", PAGES)
def test_three_posts_or_more_follow_the_article_which_is_as_it_was(number: int) -> None:
    found = made(number)
    assert found.gold_text == GOLD
    texts = all_blocks(parse(found.html)).texts
    article = all_blocks(parse(ARTICLE)).texts
    assert [text for text in texts if text in article] == article
    last = texts.index(next(text for text in texts if text.startswith("7. ")))
    said = [place for place, text in enumerate(texts) if any(line in text for line in TALKS[0])]
    said += [place for place, text in enumerate(texts) if any(line in text for line in TALKS[1])]
    assert len(said) >= 3
    assert min(said) > last


@pytest.mark.parametrize("number", PAGES)
def test_every_post_has_a_date(number: int) -> None:
    dates = [text for text in added(made(number).html) if re.search(r"20\d\d", text)]
    assert len(dates) >= 3


def test_discussions_differ_in_what_their_sites_draw() -> None:
    pages = [made(number).html for number in PAGES]
    with_field = sum("<textarea" in html for html in pages)
    named = sum(bool(re.search(r'class="_\d+"', html)) for html in pages)
    lengths = [len(added(html)) for html in pages]
    assert 0 < with_field < len(pages)
    assert 0 < named < len(pages)
    assert max(lengths) > 3 * min(lengths)


def test_a_page_always_gets_the_same_discussion() -> None:
    assert made(3) == made(3)


def test_what_is_said_comes_from_forums() -> None:
    forum = LabelledPage(id="f", html="", gold_text="Ann\nShips pass under it.\n", genre="forum")
    empty = LabelledPage(id="e", html="", gold_text="", genre="forum")
    assert talks_of([page(0), forum, empty]) == [["Ships pass under it."]]
    assert with_discussion(page(0), talks_of([page(0)])) is None

"""Pages with made-up names of their elements."""

from __future__ import annotations

import pytest

from corpus_commons.markup import MarkupError, parse
from corpus_commons.markup.dom import MAX_CHARACTERS
from corpus_commons.markup.nameless import nameless

PAGE = '<div id="main" class="post big" lang=en><p class="post" data-testid=x>Text <b>is kept</b>'


def test_the_page_is_the_same_but_for_its_names() -> None:
    named, other = parse(PAGE), parse(nameless(PAGE))
    assert (other.tags, other.texts) == (named.tags, named.texts)
    assert [*map(set, other.attributes)] == [*map(set, named.attributes)]


def test_equal_names_stay_equal_and_none_says_anything() -> None:
    other = parse(nameless(PAGE))
    div, p = (other.attributes[other.tags.index(tag)] for tag in ("div", "p"))
    post, big = str(div["class"]).split()
    assert (p["class"], div["lang"]) == (post, "en")
    names = [post, big, str(div["id"]), str(p["data-testid"])]
    assert len(set(names)) == len(names)
    assert not any(letter.isalpha() for name in names for letter in name)


def test_a_page_that_is_too_large_is_refused() -> None:
    with pytest.raises(MarkupError, match="more than"):
        nameless("a" * (MAX_CHARACTERS + 1))

"""Algorithms 1 and 2 of the GOCE paper, and the choice between them by genre."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.markup.measures import Measures
from extraction import parse
from extraction.methods.goce import (
    LITERAL_ARTICLE,
    LITERAL_LIST_VIEW,
    ArticleReading,
    Goce,
    GoceArticle,
    GoceListView,
    ListViewReading,
    article_node,
    list_items,
)


def words(count: int, word: str = "word") -> str:
    return " ".join([word] * count)


def article(html: str, **reading: object) -> str:
    return GoceArticle(ArticleReading(**reading)).extract(html).text  # type: ignore[arg-type]


def list_view(html: str, **reading: object) -> str:
    return GoceListView(ListViewReading(**reading)).extract(html).text  # type: ignore[arg-type]


class TestArticle:
    def test_no_child_gives_the_elements_own_text(self) -> None:
        assert article("<p>Alone.", children="elements") == "Alone."

    def test_one_child_is_descended_into(self) -> None:
        html = "<div><div><div>Deep inside.</div></div></div>"
        dom = parse(html)
        node = article_node(dom, Measures(dom).own_words, ArticleReading(children="elements"))
        assert dom.tags[node] == "div"
        assert dom.depths[node] == 4

    def test_a_child_that_stands_out_is_descended_into(self) -> None:
        # 100 - 12 = 88 exceeds the sample deviation of (100, 12, 10), which is about 51.
        html = (
            f"<div>{words(12, 'menu')}</div><div>{words(100)}</div><div>{words(10, 'foot')}</div>"
        )
        assert article(html) == words(100)

    def test_children_that_are_alike_are_kept_together(self) -> None:
        # 100 - 95 = 5 is below the sample deviation of (100, 95, 1), about 56.
        html = f"<div>{words(100, 'one')}</div><div>{words(95, 'two')}</div><div>three</div>"
        assert article(html) == f"{words(100, 'one')}\n\n{words(95, 'two')}\n\nthree"

    def test_a_difference_equal_to_the_deviation_does_not_stand_out(self) -> None:
        # Two children of the same length: difference 0, deviation 0.
        assert article("<div>a b</div><div>c d</div>") == "a b\n\nc d"

    def test_the_deviation_is_that_of_a_sample(self) -> None:
        # 9 - 6 = 3; sample deviation of (9, 6, 3) is 3, that of the population 2.45.
        html = f"<div>{words(9, 'a')}</div><div>{words(6, 'b')}</div><div>{words(3, 'c')}</div>"
        assert words(3, "c") in article(html)

    def test_a_long_paragraph_is_not_taken_for_a_section(self) -> None:
        html = f"<nav>Home</nav><main><h1>Title</h1><p>{words(200)}</p><p>The end.</p></main>"
        assert article(html) == f"Title\n\n{words(200)}\n\nThe end."
        assert article(html, children="elements") == words(200)

    def test_text_beside_sections_is_a_child_that_ends_the_descent(self) -> None:
        html = f"<main><p>{words(50)}</p><div>Share this</div></main>"
        assert article(html) == f"{words(50)}\n\nShare this"
        assert article(html, children="blocks") == words(50)

    def test_inline_markup_is_a_child_only_in_the_literal_reading(self) -> None:
        html = "<div>Much of the text stands <b>here</b>.</div>"
        assert article(html, children="elements") == "here"
        assert article(html, children="nodes") == "Much of the text stands"
        assert article(html, children="blocks") == "Much of the text stands here."
        assert article(html) == "Much of the text stands here."

    def test_children_without_text_count_for_the_deviation_by_default(self) -> None:
        # 9 - 6 = 3; the sample deviation of (9, 6, 3) is 3, with twelve zeros it is 2.7.
        html = (
            f"<div>{words(9, 'a')}</div><div>{words(6, 'b')}</div><div>{words(3, 'c')}</div>"
            + "<div></div>" * 12
        )
        assert article(html, empty_children=True) == words(9, "a")
        assert words(3, "c") in article(html, empty_children=False)

    def test_lengths_are_in_words_by_default(self) -> None:
        html = f"<div>{words(9, 'i')}</div><div>incomprehensibilities</div>"
        assert article(html) == words(9, "i")
        assert article(html, unit="characters") == "incomprehensibilities"

    def test_scripts_have_a_length_only_in_the_literal_reading_and_are_never_kept(self) -> None:
        html = f"<div>Text</div><script>{words(99, 'var x;')}</script>"
        assert article(html) == "Text"
        assert article(html, counted="all", children="elements") == ""

    def test_blocks_come_with_the_text(self) -> None:
        extraction = GoceArticle().extract("<main><h1>Title</h1><ul><li>one<li>two</ul></main>")
        assert [block.kind for block in extraction.blocks] == [
            "heading",
            "list-item",
            "list-item",
        ]
        assert extraction.text == "Title\n\none\ntwo"


ITEMS = "".join(f"<div class=item><p>Item number {i} has its words.</p></div>" for i in range(20))


class TestListView:
    def test_all_elements_of_the_winning_identifier_are_kept(self) -> None:
        html = f"<header class=top>Shop</header><section class=grid>{ITEMS}</section>"
        text = list_view(html, top=1)
        assert text.startswith("Item number 0 has its words.")
        assert text.endswith("Item number 19 has its words.")
        assert "Shop" not in text

    def test_of_the_top_identifiers_the_greatest_average_wins(self) -> None:
        # Words and occurrences: menu 30 in 30, R 30; post 60 in 6, R 10.9; page 60 in 1, R 2.0.
        html = (
            "<ul>"
            + "<li class=menu>x</li>" * 30
            + "</ul><div>"
            + f"<div class=post>{words(10)}</div>" * 6
            + "</div>"
        )
        dom = parse(html)
        own = Measures(dom).own_words
        reading = ListViewReading(classless="skip", top=1)
        assert {dom.attributes[i]["class"] for i in list_items(dom, own, reading)} == {"menu"}
        reading = ListViewReading(classless="skip", top=2)
        assert {dom.attributes[i]["class"] for i in list_items(dom, own, reading)} == {"post"}

    def test_the_depth_is_part_of_the_identifier(self) -> None:
        html = (
            f"<div class=a>{words(5, 'upper')}</div><div class=a>{words(5, 'upper')}</div>"
            f"<div><div class=a>{words(9, 'lower')}</div></div>"
        )
        assert "upper" not in list_view(html, classless="skip")

    def test_an_element_is_named_by_its_first_class(self) -> None:
        html = "".join(f"<p class='post post-{i}'>{words(9, f'w{i}')}</p>" for i in range(3))
        assert "w2" in list_view(html, classless="skip")
        assert "w2" not in list_view(html, classless="skip", class_name="whole")
        assert "w2" in list_view(html, classless="skip", class_name="each", repeated=True)

    def test_elements_without_a_class_share_a_name_of_their_depth(self) -> None:
        html = "<div><p>One has text.</p><h2>Two has text.</h2><p>Three has text.</p></div>"
        assert "Two" in list_view(html, repeated=True)
        assert "Two" not in list_view(html, repeated=True, classless="tag")
        assert list_view(html, classless="skip") == ""

    def test_of_equals_the_first_wins(self) -> None:
        html = "<p class=a>one two</p><p class=b>three four</p>"
        assert list_view(html, classless="skip") == "one two"

    def test_a_page_without_text_has_no_items(self) -> None:
        assert list_view("<div class=a></div><div class=a></div>") == ""


class TestGenre:
    HTML = f"<main><h1>All posts</h1><p>{words(60)}</p><section>{ITEMS}</section></main>"

    @pytest.mark.parametrize("genre", ["list-view", "forum", "collection", "listing"])
    def test_pages_that_list_things_go_to_the_list_view_algorithm(self, genre: str) -> None:
        assert Goce().extract(self.HTML, genre=genre).text == GoceListView().extract(self.HTML).text

    @pytest.mark.parametrize(
        "genre", ["article", "documentation", "product", "service", "other", "unsure", None]
    )
    def test_all_others_and_the_unknown_go_to_the_article_algorithm(
        self, genre: str | None
    ) -> None:
        assert Goce().extract(self.HTML, genre=genre).text == GoceArticle().extract(self.HTML).text

    def test_the_algorithms_alone_ignore_the_genre(self) -> None:
        for method in (GoceArticle(), GoceListView()):
            assert method.extract(self.HTML, genre="forum") == method.extract(self.HTML)

    def test_the_extraction_names_the_method_that_was_called(self) -> None:
        assert Goce().extract(self.HTML, genre="forum").method == "goce"
        assert GoceListView().extract(self.HTML).method == "goce-list-view"


@pytest.mark.parametrize("html", ["", " ", "<script>x</script>", "\0\0", "<!doctype html>"])
@pytest.mark.parametrize("genre", ["article", "list-view"])
def test_a_page_without_text_is_an_empty_extraction(html: str, genre: str) -> None:
    assert Goce().extract(html, genre=genre).text == ""


@pytest.mark.parametrize("genre", ["article", "list-view"])
def test_tens_of_thousands_of_nested_elements_are_no_trouble(genre: str) -> None:
    html = "<div class=a>x" * 20_000
    assert Goce().extract(html, genre=genre).text


markup = st.lists(
    st.sampled_from(
        ["<div>", "</div>", "<p class=a>", "<ul><li>", "<b>", "</b>", "<br>", "one ", "two three "]
    ),
    max_size=60,
).map("".join)


# This test is not about time, and runs in parallel with others.
@given(markup)
def test_what_is_kept_are_whole_subtrees_of_the_page(html: str) -> None:
    dom = parse(html)
    own = Measures(dom).own_words
    for reading in (ArticleReading(), LITERAL_ARTICLE):
        assert 0 <= article_node(dom, own, reading) < len(dom)
    for list_reading in (ListViewReading(), LITERAL_LIST_VIEW):
        items = list_items(dom, own, list_reading)
        assert not any(dom.is_text[items])
        # All at the same depth, so none is inside another.
        assert np.unique(dom.depths[items]).size <= 1

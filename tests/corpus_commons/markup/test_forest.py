"""Several pages as one tree: what is computed from it is what is computed from each."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.markup.dom import Dom, parse
from corpus_commons.markup.forest import Forest, forest_of
from corpus_commons.markup.names import names_of
from corpus_commons.markup.naming import NameGroups

PIECES = (
    "<p>", "</p>", "<div class='main nav2'>", "</div>", "<a href=/x id=Main-Nav>", "</a>", " text ",
    "<br>", "<x-card role=list hidden>", "<ul><li>", "</ul>", "<b class=''>", "中文",
)  # fmt: skip
PAGES = st.lists(
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join).map(parse), min_size=1, max_size=5
)
GROUPS = NameGroups({"nav": "nav", "main": "^main$", "list": "list"})


def split(pages: list[Dom], values: np.ndarray) -> list[list[object]]:
    """The values of the nodes of each page."""
    return [own.tolist() for own in np.split(values, np.cumsum([*map(len, pages)])[:-1])]


@given(PAGES)
def test_columns_are_those_of_the_pages(pages: list[Dom]) -> None:
    forest = Forest(pages)
    assert forest.roots[forest.page_of].tolist() == [
        start for start, page in zip(forest.roots.tolist(), pages, strict=True) for _ in page.tags
    ]
    for of in (
        lambda tree: tree.depths,
        lambda tree: tree.lengths,
        lambda tree: tree.has_tag({"p", "li"}),
        lambda tree: tree.covered(tree.elements("div")),
        lambda tree: tree.subtree_sums(tree.lengths),
        lambda tree: names_of(tree).groups(GROUPS, len(tree)),
    ):
        assert split(pages, of(forest)) == [of(page).tolist() for page in pages]


@given(PAGES)
def test_nodes_that_columns_point_to_are_in_the_same_page(pages: list[Dom]) -> None:
    forest = Forest(pages)
    for of in (
        lambda tree: tree.parents,
        lambda tree: tree.ends,
        lambda tree: tree.links,
        lambda tree: tree.containers,
    ):
        moved = [
            np.where(of(page) < 0, -1, of(page) + start).tolist()
            for page, start in zip(pages, forest.roots.tolist(), strict=True)
        ]
        assert split(pages, of(forest)) == moved


@given(PAGES, st.sampled_from(["class", "id", "role", "hidden", "lang"]))
def test_an_attribute_has_the_values_of_all_pages(pages: list[Dom], name: str) -> None:
    forest = Forest(pages)
    assert [*forest.attribute(name)] == [
        (node + start, value)
        for page, start in zip(pages, forest.roots.tolist(), strict=True)
        for node, value in page.attribute(name)
    ]


def test_a_forest_is_shared_while_it_is_in_use() -> None:
    first, second = parse("<p>a"), parse("<p>b")
    forest = forest_of([first, second])
    assert forest_of([first, second]) is forest
    other = forest_of([first])
    assert other.pages == [first]
    assert forest_of([first]) is other
    assert forest_of([parse("<p>a"), second]) is not forest

"""Statistics of every page over things of several pages."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.markup import parse
from corpus_commons.markup.forest import Forest
from genre_model.html.segments import Nodes, Segments, at, between

COUNTS = st.lists(st.integers(0, 5), min_size=1, max_size=6)


def segments(counts: list[int]) -> Segments:
    return Segments(np.repeat(np.arange(len(counts)), counts), len(counts))


@given(COUNTS, st.integers(0, 2**32 - 1))
def test_statistics_are_those_of_every_page_by_itself(counts, seed):
    things = segments(counts)
    values = np.random.default_rng(seed).integers(0, 4, len(things)).astype(np.float64)
    pages = np.split(values, np.cumsum(counts)[:-1])
    assert things.sums(values).tolist() == [page.sum() for page in pages]
    assert things.largest(values).tolist() == [page.max(initial=0) for page in pages]
    for column, page in enumerate(pages):
        if not len(page):
            continue
        assert things.means(values)[column] == pytest.approx(page.mean())
        assert things.deviations(values)[column] == pytest.approx(page.std())
        shares = (0.25, 0.9, 1.0)
        found = things.quantiles(values, shares)[:, column]
        assert found == pytest.approx(np.quantile(page, shares))
        descending = sorted(page.tolist(), reverse=True)
        assert things.ranked(values, 7)[:, column].tolist() == (descending + [0] * 7)[:7]


def test_a_page_without_things_has_noughts():
    things = segments([0, 2, 0])
    values = np.array([1.0, 3])
    for found in (
        things.means(values), things.deviations(values), *things.quantiles(values, (0, 0.5, 1)),
        *things.ranked(values, 2),
    ):  # fmt: skip
        assert found[[0, 2]].tolist() == [0, 0]


def test_the_first_of_the_largest_and_only_if_it_is_more_than_nothing():
    things = segments([3, 0, 2, 1])
    values = np.array([1.0, 2, 2, 0, 0, 5])
    assert things.first_largest(values).tolist() == [1, -1, -1, 5]


def test_the_first_and_the_last_of_those_chosen():
    things = segments([3, 0, 2])
    assert things.first().tolist() == [0, -1, 3]
    assert things.first(np.array([1, 2])).tolist() == [1, -1, -1]
    assert things.last(np.array([1, 2])).tolist() == [2, -1, -1]


def test_what_is_in_a_subtree():
    tree = Forest([parse("<ul><li>a<li>b</ul><p>c"), parse("<ul><li>d</ul>")])
    items = Nodes(tree, tree.elements("li"))
    assert items.count_inside(tree.elements("ul")).tolist() == [2, 1]
    assert items.count_inside(items.index).tolist() == [1, 1, 1]
    assert items.count_inside(tree.elements("p")).tolist() == [0]
    lengths = np.array([1.0, 10, 100])
    assert between(lengths, *items.inside(tree.roots)).tolist() == [11, 100]


def test_the_place_of_nothing_has_the_default():
    assert at(np.array([3, 4]), np.array([1, -1])).tolist() == [4, 0]
    assert at(np.array([0.5]), np.array([0, -1]), -1).tolist() == [0.5, -1]
    assert at(np.array([], dtype=np.bool_), np.array([-1]), 7).tolist() == [7]

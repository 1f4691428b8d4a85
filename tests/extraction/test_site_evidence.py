"""What other pages of a site change in the probabilities of a page's blocks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.methods.boosted_blocks.site import PRIOR, corrected, drawn
from extraction.site_index import Known

ARTICLE = {"article": 1.0}


def known(
    pages: int = 19,
    text: float = 0.0,
    repeated: float = 0.0,
    in_place: float = 0.0,
    odds: float = 0.0,
) -> Known:
    """What is known of a page's only block."""
    return Known(pages, *(np.array([value]) for value in (text, repeated, in_place, odds)))


def chance(before: float, its: Known, types: dict[str, float] = ARTICLE) -> float:
    return float(corrected(np.array([before]), its, types, PRIOR)[0])


def test_nothing_changes_where_no_other_page_is_known() -> None:
    assert chance(0.7, known(pages=0, text=1, repeated=1)) == 0.7


def test_a_block_of_which_nothing_is_known_stays_as_it_is() -> None:
    assert chance(0.7, known()) == pytest.approx(0.7)


def test_a_block_is_drawn_to_those_in_its_place_and_the_farther_the_more_they_are() -> None:
    few, many = (chance(0.4, known(in_place=n, odds=3.0)) for n in (1, 50))
    assert 0.4 < few < many < 0.96


@given(st.floats(-6, 6), st.floats(-6, 6), st.integers(0, 10_000))
def test_a_block_never_goes_beyond_the_mean_of_its_place(
    own: float, others: float, in_place: int
) -> None:
    (found,) = drawn(np.array([own]), known(in_place=in_place, odds=others))
    assert min(own, others) - 1e-9 <= found <= max(own, others) + 1e-9


def test_a_text_repeats_more_tellingly_where_others_do() -> None:
    in_slot, in_template = (chance(0.9, known(text=1 / 19, repeated=share)) for share in (0.05, 1))
    assert in_slot > 0.7
    assert in_template < 0.3


def test_a_text_of_many_articles_is_not_of_one_of_them() -> None:
    assert chance(0.9, known(text=1, repeated=0.05)) < 0.35


@pytest.mark.parametrize("page_type", ["product", "collection", "listing"])
def test_pages_that_show_the_same_things_may_repeat_each_other(page_type: str) -> None:
    assert chance(0.9, known(text=1, repeated=1), {page_type: 1.0}) == pytest.approx(0.9)

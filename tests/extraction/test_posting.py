"""What tells readers' posts, whatever their names: dates, labels, and fields to write in."""

from __future__ import annotations

import numpy as np
import pytest

from corpus_commons.markup.dom import parse
from extraction.methods.boosted_blocks.batch import Batch
from extraction.methods.boosted_blocks.features import columns
from extraction.methods.boosted_blocks.view import all_blocks

POST = "<div class=q><p>{name}, {date}</p><p>The bridge is old.</p><p>Reply</p></div>"
DATES = ("2024-01-02 10:05", "2024-01-03 11:15", "2024-01-04 9:25")
THREAD = "".join(
    POST.format(name=name, date=date)
    for name, date in zip(("Ann", "Bob", "Eve"), DATES, strict=True)
)
PAGE = f"<p>A new bridge</p><form><textarea></textarea></form><div>{THREAD}</div><p>The end</p>"


def features(*pages: str) -> dict[str, list[float]]:
    batch = Batch([all_blocks(parse(page)) for page in pages])
    return {name: np.asarray(values).tolist() for name, values in columns(batch).items()}


@pytest.mark.parametrize(
    ("text", "has_date"),
    [
        ("[2012-01-24 19:23]", 1),
        ("Ann, at 9:05", 1),
        ("3.11.2024", 1),
        ("02/03/24", 1),
        ("11月3日", 1),
        ("January 5, 2012", 1),
        ("5 stycznia 2012", 1),
        ("1901 Wilhelm Röntgen", 0),
        ("Copyright 2024", 0),
        ("Room 301", 0),
        ("12.5 of 100", 0),
        ("Call 555-2368", 0),
        ("It was in 2012 " + "that the bridge was built " * 4, 0),
    ],
)
def test_short_texts_with_a_date_or_a_time_are_told(text: str, has_date: float) -> None:
    assert features(f"<p>{text}</p>")["date"] == [has_date]


def test_the_posts_of_a_thread_have_a_date_and_a_label_each() -> None:
    found = features(PAGE)
    # The paragraphs of a post are repeated, too, inside it.
    assert found["outer-item.dated"] == [-1] + [1] * 9 + [-1]
    assert found["outer-item.labelled"] == [-1] + [1] * 9 + [-1]
    assert found["item.dated"][1:4] == found["item.labelled"][1:4] == [pytest.approx(1 / 3)] * 3


def test_the_nearest_date_and_field_are_counted_in_blocks() -> None:
    found = features(PAGE)
    assert found["blocks-since-date"] == [999, 999, 1, 2, 3, 1, 2, 3, 1, 2, 3]
    assert found["blocks-to-date"] == [1, 3, 2, 1, 3, 2, 1, 999, 999, 999, 999]
    assert found["blocks-since-field"][:3] == [999, 0.5, 1.5]
    assert found["blocks-to-field"][:2] == [0.5, 999]


def test_pages_of_a_batch_do_not_see_each_others_dates_and_fields() -> None:
    alone, other = features(PAGE), features("<p>A page without</p><p>either</p>")
    both = features(PAGE, "<p>A page without</p><p>either</p>")
    for name in both:
        assert both[name] == alone[name] + other[name], name

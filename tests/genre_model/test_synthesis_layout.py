"""Boxes become shares of cells covered."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from genre_model.training.synthesis.layout import CELL, CHANNELS, COLUMNS, ROWS, pad_rows, rasterise

PICTURE = CHANNELS.index("picture")
boxes = st.lists(
    st.tuples(
        st.integers(0, len(CHANNELS) - 1),
        *(st.integers(-100, 5000) for _ in range(2)),
        *(st.integers(0, 2000) for _ in range(2)),
    ),
    max_size=20,
)


def test_a_box_of_one_cell_fills_only_that_cell_of_its_channel():
    grid = rasterise([PICTURE, 2 * CELL, 3 * CELL, CELL, CELL], 1024)
    assert grid[3, 2, PICTURE] == 255
    assert np.count_nonzero(grid) == 1


def test_a_half_covered_cell_holds_half():
    grid = rasterise([PICTURE, 0, 0, CELL / 2, CELL], 1024)
    assert grid[0, 0, PICTURE] == 128


def test_what_lies_beyond_the_page_is_cut_off():
    grid = rasterise([PICTURE, -CELL, -CELL, 10_000, 2 * CELL], 1024)
    assert grid[0, :, PICTURE].tolist() == [255] * COLUMNS
    assert not grid[1:].any()


def test_rows_follow_the_height_up_to_the_limit():
    assert rasterise([], 1024).shape == (32, COLUMNS, len(CHANNELS))
    assert rasterise([], 1025).shape[0] == 33
    assert rasterise([], 100_000).shape[0] == ROWS


def test_padding_adds_empty_rows():
    padded = pad_rows(rasterise([PICTURE, 0, 0, 1280, 1024], 1024))
    assert padded.shape == (ROWS, COLUMNS, len(CHANNELS))
    assert padded[:32, :, PICTURE].min() == 255
    assert not padded[32:].any()


@given(boxes, boxes)
def test_more_boxes_never_cover_less(some, more):
    one = rasterise([value for box in some for value in box], 3840)
    both = rasterise([value for box in some + more for value in box], 3840)
    assert (both >= one).all()

"""Layout measures of synthetic screenshots, and of pictures that are not pages."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genre_model.layout.columns import Column, text_columns
from genre_model.layout.groups import group_measures
from genre_model.layout.lines import lines_of
from genre_model.layout.measures import measure, measure_names, named_measures
from genre_model.layout.page import HEADER, MAX_HEIGHT, WIDTH, take_apart
from genre_model.layout.signals import (
    autocorrelations,
    joint_autocorrelation,
    mean,
    median,
    periods,
    runs,
    spread,
    summary,
)
from genre_model.screenshot import Pixels


@pytest.fixture(autouse=True)
def _no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def blank(height: int = MAX_HEIGHT, shade: int = 255) -> Pixels:
    return np.full((height, WIDTH, 3), shade, np.uint8)


def write(page: Pixels, top: int, left: int, width: int, *, height: int = 3, ink: int = 60) -> None:
    """A line of text: strokes, two pixels apart."""
    page[top : top + height, left : left + width : 2] = ink


def article() -> Pixels:
    """A heading, and paragraphs of different lengths, whose last lines are short."""
    page = blank()
    write(page, 70, 60, 120, height=8, ink=0)
    top = 100
    for number in range(12):
        for _ in range(3 + number * 5 % 4):
            write(page, top, 60, 200)
            top += 7
        write(page, top, 60, 30 + number * 37 % 120)
        top += 14
    return page


def entries(*, pictures: bool = False) -> Pixels:
    """A list: a heading, a full line and a short one, again and again."""
    page = blank()
    random = np.random.default_rng(0)
    for top in range(80, 900, 50):
        write(page, top, 60, 80, height=6, ink=0)
        write(page, top + 14, 60, 200)
        write(page, top + 21, 60, 70)
        if pictures:
            page[top : top + 34, 270:310] = random.integers(0, 200, (34, 40, 3))
    return page


def inverted(page: Pixels) -> Pixels:
    return 255 - page


class TestLines:
    def test_are_where_they_were_drawn(self) -> None:
        page = blank()
        tops = [100, 130, 200]
        for top in tops:
            write(page, top, 60, 200)
        lines = lines_of(take_apart(page), Column(40, 280))
        assert (lines.top + HEADER).tolist() == tops
        assert lines.height.tolist() == [3, 3, 3]
        assert lines.gap[1:].tolist() == [27, 67]
        assert lines.left == pytest.approx([20 / 240] * 3)
        assert lines.right == pytest.approx([219 / 240] * 3)

    def test_are_as_dark_as_their_ink_is_far_from_the_ground(self) -> None:
        page = blank()
        write(page, 100, 60, 200, ink=155)
        write(page, 130, 60, 200, ink=55)
        pale, dark = lines_of(take_apart(page), Column(40, 280)).contrast
        assert pale == pytest.approx(100 / 255, abs=0.01)
        assert dark == pytest.approx(200 / 255, abs=0.01)

    def test_are_the_same_light_on_dark(self) -> None:
        column = Column(40, 280)
        ours, theirs = (
            lines_of(take_apart(page), column) for page in (article(), inverted(article()))
        )
        assert np.array_equal(ours.top, theirs.top)
        assert np.allclose(ours.contrast, theirs.contrast)

    def test_a_page_without_ink_has_none(self) -> None:
        assert len(lines_of(take_apart(blank()), Column(0, WIDTH))) == 0


class TestColumns:
    def test_a_sidebar_is_a_column_of_its_own(self) -> None:
        page = blank()
        for top in range(80, 900, 7):
            write(page, top, 20, 180)
            write(page, top, 240, 60)
        main, side = text_columns(take_apart(page))
        assert (main.left, main.right) == pytest.approx((20, 200), abs=8)
        assert (side.left, side.right) == pytest.approx((240, 300), abs=8)


class TestGroups:
    def test_entries_are_evenly_apart_and_paragraphs_are_not(self) -> None:
        listed, read = (
            group_measures(lines_of(take_apart(page), Column(40, 280)))
            for page in (entries(), article())
        )
        assert listed["parted_2.5.count"] == 17
        assert listed["parted_2.5.pitch"] == 50
        assert listed["parted_2.5.pitch_spread"] == pytest.approx(0, abs=1e-6)
        assert read["parted_1.5.pitch_spread"] > 0.15
        assert listed["parted_2.5.change"] < read["parted_1.5.change"]

    def test_lines_of_entries_are_alike_by_as_many_as_an_entry_has(self) -> None:
        lines = lines_of(take_apart(entries()), Column(40, 280))
        found = group_measures(lines)
        assert found["like.at"] in (3, 6)
        assert found["like.3"] > 0.5
        assert found["like.1"] < 0


class TestPictures:
    def test_are_counted_with_those_of_one_size(self) -> None:
        found = named_measures(entries(pictures=True))
        assert found["pictures.height.count"] == 17
        assert found["pictures.of_one_size"] >= 15
        assert found["pictures.in_one_column"] == 17

    def test_text_is_none(self) -> None:
        assert named_measures(article())["pictures.height.count"] == 0


class TestPeriod:
    def test_of_a_list_is_the_height_of_an_entry(self) -> None:
        found = named_measures(entries())
        assert found["main.period.ink.fine.length"] % 50 == 0
        assert found["main.period.ink.fine.strength"] > 0.8
        assert found["map.length"] * 2 + 10 == pytest.approx(50, abs=2)

    @pytest.mark.parametrize("length", [20, 33, 60])
    def test_is_found_in_a_profile(self, length: int) -> None:
        profile = (np.arange(600) % length < 5).astype(np.float32)
        (found,) = periods(profile[None], 14, 100)
        assert found["length"] % length == 0
        assert found["strength"] > 0.9

    def test_a_flat_profile_has_none(self) -> None:
        flat = np.full((1, 300), 0.3, np.float32)
        assert not autocorrelations(flat).any()
        assert periods(flat, 14, 100)[0]["strength"] == 0

    @pytest.mark.parametrize("count", [97, 300])
    def test_autocorrelation_is_the_products_of_a_profile_with_itself(self, count: int) -> None:
        profiles = np.random.default_rng(0).random((3, count), np.float32)
        found = autocorrelations(profiles)
        centred = profiles - profiles.mean(axis=1, keepdims=True)
        for row, ours in zip(centred, found, strict=True):
            products = np.correlate(row, row, "full")[count - 1 :]
            overlap = np.maximum(count - np.arange(count), 0.3 * count)
            assert np.allclose(ours, products / products[0] * count / overlap, atol=1e-4)

    def test_of_profiles_moved_together_is_that_of_their_products(self) -> None:
        profile = np.random.default_rng(0).random((1, 50), np.float32)
        twice = np.concatenate((profile, profile))
        assert np.allclose(joint_autocorrelation(twice), autocorrelations(profile)[0], atol=1e-5)


class TestSignals:
    def test_runs_reach_both_ends(self) -> None:
        begins, ends = runs(np.array([True, False, True]))
        assert (begins.tolist(), ends.tolist()) == ([0, 2], [1, 3])

    @given(st.lists(st.floats(-100, 100), min_size=1, max_size=30))
    def test_mean_median_and_spread_are_those_of_numpy(self, numbers: list[float]) -> None:
        values = np.array(numbers)
        assert mean(values) == pytest.approx(values.mean(), abs=1e-9)
        assert median(values) == pytest.approx(np.median(values), abs=1e-9)
        assert spread(values) * (abs(values.mean()) + 1e-6) == pytest.approx(values.std(), abs=1e-6)

    def test_the_mean_of_a_mask_is_the_share_that_is_true(self) -> None:
        assert mean(np.array([[True, False], [False, False]])) == 0.25

    def test_an_empty_summary_is_zeros_with_the_same_names(self) -> None:
        assert summary("x", []).keys() == summary("x", [1.0]).keys()
        assert not any(summary("x", []).values())


HOSTILE = {
    "one row": blank(1),
    "black": blank(shade=0),
    "white": blank(),
    "odd height": article()[:333],
    "short": article()[:90],
    "noise": np.random.default_rng(1).integers(0, 255, (MAX_HEIGHT, WIDTH, 3), np.uint8),
    "stripes": np.where(np.arange(MAX_HEIGHT)[:, None, None] % 2, blank(), 0).astype(np.uint8),
    "columns": np.where(np.arange(WIDTH)[None, :, None] % 2, blank(), 0).astype(np.uint8),
    "one line": np.where(np.arange(MAX_HEIGHT)[:, None, None] == 500, 0, blank()).astype(np.uint8),
}


class TestMeasures:
    @pytest.mark.parametrize("name", HOSTILE)
    def test_are_finite_numbers_of_any_picture(self, name: str) -> None:
        found = measure(HOSTILE[name])
        assert found.dtype == np.float32
        assert found.shape == (len(measure_names()),)
        assert np.isfinite(found).all()

    @settings(max_examples=25, deadline=None)
    @given(
        height=st.integers(1, MAX_HEIGHT),
        cells=st.integers(1, 40),
        shades=st.integers(2, 256),
        seed=st.integers(0, 9),
    )
    def test_are_finite_and_repeatable_for_random_pictures(
        self, height: int, cells: int, shades: int, seed: int
    ) -> None:
        coarse = np.random.default_rng(seed).integers(0, shades, (cells, cells, 3), np.uint8)
        rows = np.arange(height) * cells // height
        pixels = coarse[rows][:, np.arange(WIDTH) * cells // WIDTH]
        found = measure(pixels)
        assert np.isfinite(found).all()
        assert np.array_equal(found, measure(pixels.copy()))

    def test_do_not_touch_the_pixels(self) -> None:
        pixels = article()
        pixels.setflags(write=False)
        measure(pixels)

    def test_names_are_unique_and_the_same_for_all_pages(self) -> None:
        assert len(set(measure_names())) == len(measure_names())
        for page in (blank(), article(), entries(pictures=True)):
            assert tuple(named_measures(page)) == measure_names()

    def test_are_the_same_in_many_threads(self) -> None:
        pages = [article(), entries(), entries(pictures=True), blank(7)]
        expected = [measure(page) for page in pages]
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(measure, pages * 3))
        for one, other in zip(found, expected * 3, strict=True):
            assert np.array_equal(one, other)

    def test_tell_how_high_the_page_is(self) -> None:
        assert named_measures(blank(480))["page.height"] == 0.5
        assert named_measures(blank(480))["zone.4.text"] == -1
        assert named_measures(blank(481))["zone.4.text"] == 0

    @pytest.mark.parametrize(
        "shape",
        [(0, WIDTH, 3), (100, 319, 3), (MAX_HEIGHT + 1, WIDTH, 3), (100, WIDTH), (1, 320, 4)],
    )
    def test_other_shapes_are_refused(self, shape: tuple[int, ...]) -> None:
        with pytest.raises(ValueError, match="must be"):
            measure(np.zeros(shape, np.uint8))

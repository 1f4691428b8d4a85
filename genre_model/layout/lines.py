"""Lines in a column: ranges of rows with ink, such as a line of text, a button or a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from genre_model.layout.columns import Column, below_header
from genre_model.layout.page import Page
from genre_model.layout.signals import Floats, Mask, Measures, mean, runs, summary

# A row belongs to a line if at least this share of the column's width has ink.
_LEAST_INK = 0.012
_FULL, _SMALL = 0.85, 6
_LOOSE_GAP = 1
_WHITE = np.float32(255)


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines of one column from top to bottom; the arrays have one entry per line.

    top, bottom: rows, counted from the page's header. left, right: as shares of the column's width.
    contrast: the mean of the strongest ink per row; colour: of its ink; density: the share of its
        rectangle that is ink.
    gap: empty rows above it. pictures: the share of these that contain pictures.
    """

    top: Floats
    bottom: Floats
    left: Floats
    right: Floats
    contrast: Floats
    colour: Floats
    density: Floats
    gap: Floats
    pictures: Floats

    def __len__(self) -> int:
        return len(self.top)

    @property
    def height(self) -> Floats:
        return self.bottom - self.top

    @property
    def extent(self) -> Floats:
        """The width from the first ink to the last, as a share of the column's."""
        return self.right - self.left


def lines_of(page: Page, column: Column) -> Lines:
    """All lines of the column below the page's header."""
    rows = below_header(page)
    columns = slice(column.left, column.right)
    ink = page.ink[rows, columns]
    counts = ink.sum(axis=1, dtype=np.float32)
    begins, ends = runs(counts > _LEAST_INK * column.width)
    if not len(begins):
        return Lines(*(np.zeros(0, np.float32) for _ in range(9)))
    # Every second range between these is a line; the extra row lets the last one end at the bottom.
    bounds = np.stack((begins, ends), axis=1).ravel()
    above = np.concatenate([[0], ends[:-1]])

    def over_lines(function: np.ufunc, values: Floats, last: np.float32 | int) -> Floats:
        found: Floats = function.reduceat(np.append(values, np.float32(last)), bounds)[::2]
        return found

    width = np.float32(column.width)
    first = ink.argmax(axis=1).astype(np.float32)
    behind = (width - ink[:, ::-1].argmax(axis=1)).astype(np.float32)
    first[counts == 0], behind[counts == 0] = width, 0
    left = over_lines(np.minimum, first, width)
    right = over_lines(np.maximum, behind, 0)
    strongest = (page.contrast[rows, columns] * ink).max(axis=1).astype(np.float32)
    colour = (page.colour[rows, columns] * ink).sum(axis=1, dtype=np.float32)
    inked = over_lines(np.add, counts, 0)
    height = (ends - begins).astype(np.float32)
    pictured = np.concatenate([[0], np.cumsum(_picture_rows(page, column))])
    gap = (begins - above).astype(np.float32)
    return Lines(
        top=begins.astype(np.float32),
        bottom=ends.astype(np.float32),
        left=left / width,
        right=right / width,
        contrast=over_lines(np.add, strongest, 0) / height / _WHITE,
        colour=over_lines(np.add, colour, 0) / inked / _WHITE,
        density=(inked / (height * (right - left))).astype(np.float32),
        gap=gap,
        pictures=((pictured[begins] - pictured[above]) / np.maximum(gap, 1)).astype(np.float32),
    )


def line_measures(lines: Lines) -> Measures:
    """The height, gaps, width and contrast of the lines, and how they form paragraphs."""
    gaps = lines.gap[1:]
    full = lines.extent > _FULL
    small = lines.height <= _SMALL
    found = (
        summary("height", lines.height)
        | summary("gap", gaps)
        | summary("extent", lines.extent)
        | summary("left", lines.left, (0.1, 0.9))
        | summary("contrast", lines.contrast, (0.1, 0.9))
        | summary("colour", lines.colour, (0.5, 0.8))
        | summary("density", lines.density, (0.5,))
    )
    found["full"] = mean(full)
    found["full_and_small"] = mean(full & small)
    return found | _paragraphs(gaps, full)


def _paragraphs(gaps: Floats, full: Mask) -> Measures:
    """Runs of lines with small gaps, and single lines."""
    if not len(gaps):
        return {
            **summary("paragraph", ()),
            **summary("fullness", (), (0.5, 0.9)),
            "alone": 0.0,
            "wide_gap_spread": 0.0,
        }
    ordered = np.sort(gaps)
    tight = gaps <= ordered[int(0.4 * (len(gaps) - 1))] + _LOOSE_GAP
    begins, ends = runs(tight)
    before = np.concatenate([[0], np.cumsum(full)])
    sizes = ends - begins + 1
    fullness = (before[ends + 1] - before[begins]) / sizes
    alone = ~np.append(tight, False) & ~np.append(False, tight)
    wide = gaps[gaps > ordered[int(0.7 * (len(gaps) - 1))]]
    return {
        **summary("paragraph", sizes),
        **summary("fullness", fullness, (0.5, 0.9)),
        "alone": mean(alone),
        "wide_gap_spread": float(wide.std() / wide.mean()) if len(wide) else 0.0,
    }


def _picture_rows(page: Page, column: Column) -> Floats:
    share = page.pictures[:, column.left // 2 : column.right // 2].mean(axis=1, dtype=np.float32)
    rows: Floats = share.repeat(2)[below_header(page)]
    return rows

"""Columns of text: their positions and widths, and how many are side by side."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from genre_model.layout.page import HEADER, WIDTH, Page
from genre_model.layout.signals import (
    Floats,
    Measures,
    box,
    mean,
    named,
    periods,
    runs,
    smooth,
    spread,
)

# The least amount of text in a column, as a share of that in the fullest one.
_FULL = 0.3
_PROFILE_POINTS = 20
_BANDS, _BAND_HEIGHT = 8, 120
_LEAST_BAND, _LEAST_WIDTH = 40, 12
_LEAST_CONTENT = 0.03


class Column(NamedTuple):
    """From pixel ``left`` to ``right``."""

    left: int
    right: int

    @property
    def width(self) -> int:
        return self.right - self.left


def text_columns(page: Page) -> list[Column]:
    """The horizontal ranges that contain text, widest first."""
    profile = box(page.text.mean(axis=0, dtype=np.float32), 5)
    begins, ends = runs(profile > _FULL * profile.max())
    found = [
        Column(2 * begin, 2 * end)
        for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)
    ]
    return sorted(found, key=lambda column: (-column.width, column.left))


def column_measures(page: Page, columns: list[Column]) -> Measures:
    """The three widest columns, the density of text across the page, and columns by band."""
    found: Measures = {"columns.count": float(len(columns))}
    for place in range(3):
        column = columns[place] if place < len(columns) else Column(0, 0)
        found[f"columns.{place}.width"] = column.width / WIDTH
        found[f"columns.{place}.left"] = column.left / WIDTH
    density = box(page.text.mean(axis=0, dtype=np.float32), 5)
    step = len(density) // _PROFILE_POINTS
    for point, share in enumerate(density.reshape(_PROFILE_POINTS, step).mean(axis=1).tolist()):
        found[f"columns.text.{point}"] = share
    return found | _bands(page)


def _bands(page: Page) -> Measures:
    """Columns in each horizontal band of the page: their number, width and regularity."""
    content = page.text | page.pictures
    step = _BAND_HEIGHT // 2
    bands = [content[top : top + step] for top in range(0, len(content), step)]
    bands = [band for band in bands[:_BANDS] if len(band) >= _LEAST_BAND // 2]
    profiles = np.stack([band.mean(axis=0, dtype=np.float32) for band in bands])
    regular = periods(smooth(profiles, 1), 20, 100)
    found: Measures = {}
    counts: list[float] = []
    for number in range(_BANDS):
        measures = dict.fromkeys(("count", "widest", "spread", "strength", "length"), -1.0)
        if number < len(bands):
            period = {key: regular[number][key] for key in ("strength", "length")}
            measures = _side_by_side(box(profiles[number], 3)) | period
            counts.append(measures["count"])
        found |= named(f"columns.band.{number}", measures)
    found["columns.bands.mean"] = mean(np.array(counts))
    found["columns.bands.most"] = max(counts)
    return found


def _side_by_side(profile: Floats) -> Measures:
    begins, ends = runs(profile > _LEAST_CONTENT)
    widths = (ends - begins)[2 * (ends - begins) > _LEAST_WIDTH]
    return {
        "count": float(len(widths)),
        "widest": float(widths.max(initial=0)),
        "spread": spread(widths),
    }


def below_header(page: Page) -> slice:
    """The rows of the page below its header."""
    return slice(HEADER, len(page.ink))

"""All layout measures of a screenshot, as one vector.

>>> import numpy as np
>>> blank = np.full((400, 320, 3), 255, np.uint8)
>>> named_measures(blank)["page.main_colour"]
1.0
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from genre_model.layout.columns import Column, column_measures, text_columns
from genre_model.layout.components import block_measures, picture_measures
from genre_model.layout.groups import group_measures
from genre_model.layout.lines import line_measures, lines_of
from genre_model.layout.page import EDGE_SUM, MAX_HEIGHT, STRONG_INK, WIDTH, Page, take_apart
from genre_model.layout.periodicity import map_measures, period_measures
from genre_model.layout.signals import Measures, mean, named
from genre_model.screenshot import Pixels
from genre_model.trees import Vector

# The size for ``screenshot.decode_top``.
SIZE: Final = (MAX_HEIGHT, WIDTH)

_WHOLE = Column(0, WIDTH)
_MIDDLE = Column(30, WIDTH - 30)
_NONE = Column(0, 0)
_LEAST_SECOND = 30  # the least width of a column beside the main one
_ZONE = 120  # the height of a horizontal band: 480 CSS px
_BELOW = -1.0  # for bands below the end of the page


def measure(pixels: Pixels) -> Vector:
    """The measures of a page in the order of ``measure_names``; all are finite.

    pixels: (1..960, 320, 3), from ``screenshot.decode_top``. Raises ValueError for another shape.
    """
    return np.fromiter(named_measures(pixels).values(), np.float32)


def named_measures(pixels: Pixels) -> Measures:
    """The measures by name, always in the same order."""
    page = take_apart(pixels)
    columns = text_columns(page)
    main = columns[0] if columns else _WHOLE
    beside = next((column for column in columns[1:2] if column.width > _LEAST_SECOND), _NONE)
    return {
        **_zones(page),
        **picture_measures(page),
        **block_measures(page),
        **column_measures(page, columns),
        **map_measures(page),
        **named("main", _column(page, main) | period_measures(page, main)),
        **named("second", _column(page, beside)),
        **named("whole", _column(page, _MIDDLE) | period_measures(page, _WHOLE)),
    }


@cache
def measure_names() -> tuple[str, ...]:
    return tuple(named_measures(np.zeros((1, WIDTH, 3), np.uint8)))


def _column(page: Page, column: Column) -> Measures:
    lines = lines_of(page, column)
    return line_measures(lines) | group_measures(lines)


def _zones(page: Page) -> Measures:
    """Shares of text, pictures, cover, colour and strong ink, in all and per band from the top."""
    found: Measures = {
        "page.height": page.height / MAX_HEIGHT,
        "page.brightness": mean(page.brightness) / 255,
        "page.main_colour": page.main_share,
        **named("page", _shares(page, 0, MAX_HEIGHT)),
    }
    for top in range(0, MAX_HEIGHT, _ZONE):
        for name, value in _shares(page, top, top + _ZONE).items():
            found[f"zone.{top // _ZONE}.{name}"] = value if top < page.height else _BELOW
    return found


def _shares(page: Page, top: int, bottom: int) -> Measures:
    rows, half = slice(top, bottom), slice(top // 2, bottom // 2)
    return {
        "text": mean(page.text[half]),
        "pictures": mean(page.pictures[half]),
        "covered": mean(page.covered[rows]),
        "colour": mean(page.colour[rows]) / 255,
        "edges": mean(page.edges[half]) / (50 * EDGE_SUM),
        "strong": mean(page.contrast[rows] > STRONG_INK),
    }

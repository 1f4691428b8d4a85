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
import numpy.typing as npt

from genre_model.layout.blocks import block_measures
from genre_model.layout.columns import (
    Column,
    column_measures,
    main_column,
    second_column,
    text_columns,
)
from genre_model.layout.groups import group_measures
from genre_model.layout.lines import line_measures, lines_of
from genre_model.layout.page import MAX_HEIGHT, WIDTH, Page, take_apart
from genre_model.layout.periodicity import map_measures, period_measures
from genre_model.layout.rectangles import rectangle_measures
from genre_model.layout.signals import Measures, named
from genre_model.layout.zones import zone_measures
from genre_model.screenshot import Pixels

Vector = npt.NDArray[np.float32]

# The size for ``screenshot.decode_top``.
SIZE: Final = (MAX_HEIGHT, WIDTH)

_WHOLE = Column(0, WIDTH)
_MIDDLE = Column(30, WIDTH - 30)


def measure(pixels: Pixels) -> Vector:
    """The measures of a page in the order of ``measure_names``; all are finite.

    pixels: (1..960, 320, 3), from ``screenshot.decode_top``. Raises ValueError for another shape.
    """
    return np.fromiter(named_measures(pixels).values(), np.float32)


def named_measures(pixels: Pixels) -> Measures:
    """The measures by name, always in the same order."""
    page = take_apart(pixels)
    columns = text_columns(page)
    main = main_column(columns)
    return {
        **zone_measures(page),
        **rectangle_measures(page),
        **block_measures(page),
        **column_measures(page, columns),
        **map_measures(page),
        **named("main", _column(page, main) | period_measures(page, main)),
        **named("second", _column(page, second_column(columns) or Column(0, 0))),
        **named("whole", _column(page, _MIDDLE) | period_measures(page, _WHOLE)),
    }


@cache
def measure_names() -> tuple[str, ...]:
    return tuple(named_measures(np.zeros((1, WIDTH, 3), np.uint8)))


def _column(page: Page, column: Column) -> Measures:
    lines = lines_of(page, column)
    return line_measures(lines) | group_measures(lines)

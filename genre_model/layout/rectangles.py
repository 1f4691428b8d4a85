"""Pictures: their number, sizes and positions, and how many have the same size."""

from __future__ import annotations

from collections import Counter

import numpy as np
from scipy import ndimage

from genre_model.layout.page import MAX_HEIGHT, WIDTH, Page
from genre_model.layout.signals import Measures, summary

_LEAST_AREA = 38  # in pixels at half resolution
_GRAIN = 3  # sizes that differ by less count as equal


def rectangle_measures(page: Page) -> Measures:
    """Measures of the bounding boxes of the page's pictures."""
    labels, _ = ndimage.label(page.pictures)
    boxes = np.array(
        [
            (rows.start, columns.start, rows.stop - rows.start, columns.stop - columns.start)
            for rows, columns in ndimage.find_objects(labels)
        ],
        np.int64,
    ).reshape(-1, 4)
    boxes = boxes[boxes[:, 2] * boxes[:, 3] > _LEAST_AREA]
    top, left, height, width = boxes.T
    area = height * width * 4 / (WIDTH * MAX_HEIGHT)
    sizes = Counter(zip((height // _GRAIN).tolist(), (width // _GRAIN).tolist(), strict=True))
    lefts = Counter((left // (_GRAIN + 1)).tolist())
    return {
        **summary("pictures.height", height, (0.5, 0.9)),
        **summary("pictures.width", width, (0.5, 0.9)),
        "pictures.of_one_size": float(max(sizes.values(), default=0)),
        "pictures.in_one_column": float(max(lefts.values(), default=0)),
        "pictures.columns": len(lefts) / (len(boxes) + 1),
        "pictures.largest": float(area.max(initial=0)),
        "pictures.first": float(top.min(initial=len(page.pictures))),
        "pictures.last": float((top + height).max(initial=0)),
    }

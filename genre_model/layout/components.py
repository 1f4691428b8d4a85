"""Connected components: pictures, and blocks of ink such as a paragraph or a button."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from genre_model.layout.page import MAX_HEIGHT, WIDTH, Page
from genre_model.layout.signals import Mask, Measures, mean, summary

# Pictures, in pixels at half resolution. Sizes that differ by less than the grain count as equal.
_LEAST_AREA, _GRAIN = 38, 3
# Blocks.
_LEAST_HEIGHT, _LEAST_WIDTH = 4, 6
_TALL, _LOW = 30, 9
_COMMONEST = 3


def picture_measures(page: Page) -> Measures:
    """The number, sizes and positions of pictures, and how many have the same size."""
    boxes = _bounding_boxes(page.pictures)
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


def block_measures(page: Page) -> Measures:
    """The sizes of blocks of ink, and how many have the same position and size."""
    ink = page.ink
    coarse = ink[::2, ::2] | ink[1::2, ::2] | ink[::2, 1::2] | ink[1::2, 1::2]
    boxes = 2 * _bounding_boxes(_grown(coarse))
    boxes = boxes[(boxes[:, 2] > _LEAST_HEIGHT) & (boxes[:, 3] > _LEAST_WIDTH)]
    height, width = boxes[:, 2], boxes[:, 3]
    area = np.sort(height * width) / (WIDTH * MAX_HEIGHT)
    left, wide, high = ((boxes[:, 1] // 5).tolist(), (width // 8).tolist(), (height // 4).tolist())
    return {
        **summary("blocks.height", height),
        **summary("blocks.width", width),
        "blocks.largest": float(area[-1:].sum()),
        "blocks.largest_three": float(area[-3:].sum()),
        "blocks.tall": float((height > _TALL).sum()),
        "blocks.low": float((height <= _LOW).sum()),
        "blocks.low_share": mean(height <= _LOW),
        **_commonest("blocks.left", left),
        **_commonest("blocks.left_and_width", list(zip(left, wide, strict=True))),
        **_commonest("blocks.all", list(zip(left, wide, high, strict=True))),
    }


def _bounding_boxes(mask: Mask) -> npt.NDArray[np.int64]:
    """The top, left, height and width of every component."""
    labels, _ = ndimage.label(mask)
    found = [
        (rows.start, columns.start, rows.stop - rows.start, columns.stop - columns.start)
        for rows, columns in ndimage.find_objects(labels)
    ]
    return np.array(found, np.int64).reshape(-1, 4)


def _grown(mask: Mask) -> Mask:
    """The mask dilated by one pixel in all eight directions."""
    tall = mask.copy()
    tall[1:] |= mask[:-1]
    tall[:-1] |= mask[1:]
    grown = tall.copy()
    grown[:, 1:] |= tall[:, :-1]
    grown[:, :-1] |= tall[:, 1:]
    return grown


def _commonest(name: str, keys: Sequence[Hashable]) -> Measures:
    """The number of blocks with each of the three most common keys."""
    counts = [count for _, count in Counter(keys).most_common(_COMMONEST)]
    counts += [0] * (_COMMONEST - len(counts))
    found = {f"{name}.{place}": float(count) for place, count in enumerate(counts)}
    return found | {f"{name}.share": counts[0] / max(len(keys), 1)}

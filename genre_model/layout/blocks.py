"""Blocks: connected components of ink, such as a paragraph, a button or a menu entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
from scipy import ndimage

from genre_model.layout.page import MAX_HEIGHT, WIDTH, Page
from genre_model.layout.signals import Mask, Measures, mean, summary

_LEAST_HEIGHT, _LEAST_WIDTH = 4, 6
_TALL, _LOW = 30, 9
_COMMONEST = 3


def block_measures(page: Page) -> Measures:
    """The sizes of blocks, and how many have the same position and size."""
    boxes = _boxes(page)
    height, width = boxes[:, 2], boxes[:, 3]
    area = np.sort(height * width) / (WIDTH * MAX_HEIGHT)
    left, wide, high = boxes[:, 1] // 5, width // 8, height // 4
    return {
        **summary("blocks.height", height),
        **summary("blocks.width", width),
        "blocks.largest": float(area[-1:].sum()),
        "blocks.largest_three": float(area[-3:].sum()),
        "blocks.tall": float((height > _TALL).sum()),
        "blocks.low": float((height <= _LOW).sum()),
        "blocks.low_share": mean(height <= _LOW),
        **_commonest("blocks.left", left.tolist()),
        **_commonest("blocks.left_and_width", list(zip(left.tolist(), wide.tolist(), strict=True))),
        **_commonest(
            "blocks.all", list(zip(left.tolist(), wide.tolist(), high.tolist(), strict=True))
        ),
    }


def _boxes(page: Page) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """The top, left, height and width of every block."""
    ink = page.ink
    coarse = ink[::2, ::2] | ink[1::2, ::2] | ink[::2, 1::2] | ink[1::2, 1::2]
    labels, _ = ndimage.label(_grown(coarse))
    found = [
        (rows.start, columns.start, rows.stop - rows.start, columns.stop - columns.start)
        for rows, columns in ndimage.find_objects(labels)
    ]
    boxes = 2 * np.array(found, np.int64).reshape(-1, 4)
    chosen = (boxes[:, 2] > _LEAST_HEIGHT) & (boxes[:, 3] > _LEAST_WIDTH)
    kept: np.ndarray[tuple[int, int], np.dtype[np.int64]] = boxes[chosen]
    return kept


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

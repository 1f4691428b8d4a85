"""Layout maps: the positions of text, links, pictures, entries and so on, on a coarse grid."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

CELL: Final = 32
"""Side of a cell, CSS px."""
COLUMNS: Final = 40
ROWS: Final = 120

CHANNELS: Final = (
    "text",  # running text: its line boxes
    "link",  # text of links
    "heading",
    "picture",  # img, video, large svg, background pictures
    "control",  # buttons and fields of forms
    "code",
    "main",  # text and pictures of the page's own content
    "item",  # one of the repeated entries of a list
    "boilerplate",  # headers, footers, sidebars, bars
)

LAYOUT_FILE: Final = "layouts-{:05}.npz"
"""The maps of a chunk of pages, with their ids."""

BOXES_SCRIPT: Final = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
"""To be run in the page with the height of the clip; returns all boxes in one flat array."""


def _overlap(
    start: NDArray[np.float64], size: NDArray[np.float64], cells: int
) -> NDArray[np.float64]:
    """The share of each cell of a line that each interval covers, (intervals, cells)."""
    edges = np.arange(cells) * CELL
    low = np.maximum(start[:, None], edges)
    high = np.minimum((start + size)[:, None], edges + CELL)
    share: NDArray[np.float64] = np.clip(high - low, 0, None) / CELL
    return share


def rasterise(boxes: Sequence[float], height: int) -> NDArray[np.uint8]:
    """Boxes in a flat sequence -> shares of cells covered, (rows, COLUMNS, channels), 0 to 255.

    Of every box: channel, left, top, width, height; in CSS px from the page's top left corner.
    There are as many rows as `height` CSS px need, at most ROWS; boxes are clipped. Overlapping
    boxes of a channel are added within a cell, up to full cover.
    """
    rows = min(ROWS, -(-height // CELL))
    grid = np.zeros((rows, COLUMNS, len(CHANNELS)))
    table = np.asarray(boxes, np.float64).reshape(-1, 5)
    for channel in range(len(CHANNELS)):
        _, left, top, width, tall = table[table[:, 0] == channel].T
        across, down = _overlap(left, width, COLUMNS), _overlap(top, tall, rows)
        grid[:, :, channel] = down.T @ across
    return np.rint(np.clip(grid, 0, 1) * 255).astype(np.uint8)


def pad_rows(grid: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The grid with empty rows below, ROWS in all."""
    return np.pad(grid, ((0, ROWS - len(grid)), (0, 0), (0, 0)))


def read_layouts(folder: Path) -> dict[str, NDArray[np.uint8]]:
    """The layout maps by page id; each (ROWS, COLUMNS, channels)."""
    maps: dict[str, NDArray[np.uint8]] = {}
    for file in sorted(folder.glob("layouts-*.npz")):
        with np.load(file) as chunk:
            maps |= zip(chunk["ids"].tolist(), chunk["layouts"], strict=True)
    return maps

"""Layout maps: the positions of text, links, pictures, entries and so on, on a coarse grid."""

from __future__ import annotations

from collections.abc import Sequence
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

Box = tuple[int, float, float, float, float]
"""Channel, left, top, width, height; in CSS px from the top left corner of the page."""

BOXES_SCRIPT: Final = """(limit) => {
  const boxes = [];
  const add = (channel, r) => {
    const top = r.top + scrollY, left = r.left + scrollX;
    if (r.width > 1 && r.height > 1 && top < limit && left < 1280)
      boxes.push(channel, Math.round(left), Math.round(top), Math.round(r.width),
                 Math.round(r.height));
  };
  const within = (e, selector) => e.closest(selector) !== null;
  const main = e => within(e, '[data-main]') && !within(e, '[data-boiler]');
  const kind = e => within(e, 'pre') ? 5
    : within(e, 'button,.s-button,.s-button-2,label') ? 4
    : within(e, 'h1,h2,h3,h4,h5,h6') ? 2 : within(e, 'a') ? 1 : 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement;
    if (!node.data.trim() || within(e, 'script,style,noscript,option')) continue;
    range.selectNodeContents(node);
    const channel = kind(e), own = main(e);
    for (const r of range.getClientRects()) {
      add(channel, r);
      if (own) add(6, r);
    }
  }
  for (const e of document.body.querySelectorAll('*')) {
    const tag = e.tagName.toLowerCase(), r = e.getBoundingClientRect();
    if (r.width < 2 || r.height < 2) continue;
    const large = r.width * r.height >= 1024;
    if (['img', 'video', 'canvas', 'iframe'].includes(tag) || (tag === 'svg' && large) ||
        (large && getComputedStyle(e).backgroundImage.includes('url('))) {
      add(3, r);
      if (main(e)) add(6, r);
    } else if (['input', 'textarea', 'select', 'button'].includes(tag)) add(4, r);
    if (e.hasAttribute('data-item')) add(7, r);
    if (e.hasAttribute('data-boiler')) add(8, r);
  }
  return boxes;
}"""
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

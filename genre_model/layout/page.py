"""Segments a screenshot into ink, pictures and text.

All lengths are in pixels of a screenshot 320 pixels wide; each is four CSS pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFilter

from genre_model.layout.signals import Mask
from genre_model.screenshot import Pixels

Grey = npt.NDArray[np.uint8]

WIDTH: Final = 320
MAX_HEIGHT: Final = 960
# Height of the header, with the site's name and menu. Pages are padded to at least twice this.
HEADER: Final = 60
_LEAST_HEIGHT = 2 * HEADER

# Difference from the background, of 255, at which a pixel is ink, and strong ink.
_INK, STRONG_INK = 18, 90
# The background is estimated on a grid with this step, in boxes of so many grid points per side.
_BACKGROUND_STEP, _BACKGROUND_BOX = 8, 5
# The width of a shade: colours are quantised to six shades per channel.
_SHADE = 48
# A square is part of a picture if this share of it is not in the page's main colour.
_PICTURE_FILL = 0.93
# A pixel also belongs to a picture if this share of its neighbours are centres of such squares.
_PICTURE_NEAR = 0.06
_PICTURE_SQUARE = 7
# The threshold for text, of 255; and the number of differences summed in ``Page.edges``.
_TEXT_EDGES = 5
_EDGE_WINDOW = 5
EDGE_SUM: Final = 4 * _EDGE_WINDOW


@dataclass(frozen=True, eq=False)
class Page:
    """A segmented screenshot: (rows, columns) arrays at full and at half resolution.

    height: of the page itself; the arrays of a very short page are padded.
    brightness, colour: 0..255; colour is the difference between the channels.
    contrast: the difference from the local background. ink: high contrast, outside of pictures.
    covered: what is not in the page's main colour. main_share: the share of the main colour.
    edges, pictures, text: at half resolution. edges: the differences between adjacent pixels of a
        row, summed over ``EDGE_SUM`` of them; text: strong edges, outside of pictures.
    """

    height: int
    brightness: Grey
    colour: Grey
    contrast: Grey
    ink: Mask
    covered: Mask
    main_share: float
    edges: npt.NDArray[np.uint16]
    pictures: Mask
    text: Mask


def take_apart(pixels: Pixels) -> Page:
    """pixels: (1..960, 320, 3), as ``screenshot.decode_top`` gives them.

    Raises ValueError for another shape.
    """
    height, width, channels = pixels.shape if pixels.ndim == 3 else (0, 0, 0)
    if not 1 <= height <= MAX_HEIGHT or width != WIDTH or channels != 3:
        raise ValueError(f"pixels of shape {pixels.shape}; must be (1..{MAX_HEIGHT}, {WIDTH}, 3)")
    missing = max(_LEAST_HEIGHT - height, height % 2)
    if missing:
        pixels = np.pad(pixels, ((0, missing), (0, 0), (0, 0)), mode="edge")
    red, green, blue = (np.ascontiguousarray(pixels[..., channel]) for channel in range(3))
    colour = np.maximum(np.maximum(red, green), blue) - np.minimum(np.minimum(red, green), blue)
    brightness = ((red.astype(np.uint16) + green + blue) // 3).astype(np.uint8)
    contrast = _difference(brightness, _background(brightness))
    covered, main_share = _covered(red, green, blue)
    pictures = _pictures(covered)
    edges = _edges(brightness)
    return Page(
        height=height,
        brightness=brightness,
        colour=colour,
        contrast=contrast,
        ink=(contrast > _INK) & ~_doubled(pictures),
        covered=covered,
        main_share=main_share,
        edges=edges,
        pictures=pictures,
        text=(edges > _TEXT_EDGES * EDGE_SUM) & ~pictures,
    )


def _difference(first: Grey, second: Grey) -> Grey:
    difference: Grey = np.maximum(first, second) - np.minimum(first, second)
    return difference


def _background(brightness: Grey) -> Grey:
    """The local background: the median over 40 rows and columns."""
    step = _BACKGROUND_STEP
    coarse = Image.fromarray(np.ascontiguousarray(brightness[::step, ::step]))
    median = np.asarray(coarse.filter(ImageFilter.MedianFilter(_BACKGROUND_BOX)))
    fine: Grey = median.repeat(step, axis=0).repeat(step, axis=1)
    return fine[: brightness.shape[0], : brightness.shape[1]]


def _covered(red: Grey, green: Grey, blue: Grey) -> tuple[Mask, float]:
    """The pixels that are not in the most common of 216 colours, and the share of that colour."""
    code = red // _SHADE * np.uint8(36) + green // _SHADE * np.uint8(6) + blue // _SHADE
    counts = np.bincount(code[::2, ::2].ravel(), minlength=216)
    covered = code != np.uint8(counts.argmax())
    return covered, 1 - float(np.count_nonzero(covered)) / covered.size


def _pictures(covered: Mask) -> Mask:
    """Squares that are almost fully covered, and their surroundings; at half resolution."""
    square = _PICTURE_SQUARE**2
    full = _squares(covered[::2, ::2]) > _PICTURE_FILL * square
    pictures: Mask = _squares(full) > _PICTURE_NEAR * square
    return pictures


def _squares(mask: Mask) -> Grey:
    """For every pixel, the number of true pixels in the square around it."""
    counts: Grey = _window_sums(
        _window_sums(mask.view(np.uint8), _PICTURE_SQUARE).T, _PICTURE_SQUARE
    ).T
    return counts


def _edges(brightness: Grey) -> npt.NDArray[np.uint16]:
    """Differences, summed over two rows and five times two columns."""
    changes = np.zeros(brightness.shape, np.uint16)
    changes[:, :-1] = _difference(brightness[:, 1:], brightness[:, :-1])
    rows = changes[::2] + changes[1::2]
    edges: npt.NDArray[np.uint16] = _window_sums(rows[:, ::2] + rows[:, 1::2], _EDGE_WINDOW)
    return edges


def _window_sums(values: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    """Moving sums along rows, in the type of the values; edges are padded with their values."""
    padded = np.pad(values, ((0, 0), (size // 2, size // 2)), mode="edge")
    wide = values.shape[1]
    sums = padded[:, :wide].copy()
    for shift in range(1, size):
        sums += padded[:, shift : shift + wide]
    return sums


def _doubled(mask: Mask) -> Mask:
    return mask.repeat(2, axis=0).repeat(2, axis=1)

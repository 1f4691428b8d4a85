"""A screenshot taken apart: what is ink, what is a picture, what is text.

All lengths are in pixels of a screenshot of 320 pixels' width, which are four CSS pixels each.
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
# Above it most pages have the site's name and menu. A page is never taken for shorter than twice.
HEADER: Final = 60
_LEAST_HEIGHT = 2 * HEADER

# Of 255: how far from the background ink must be, and which is strong.
_INK, STRONG_INK = 18, 90
# Pixels a side on which the background is sought, every few pixels.
_BACKGROUND_STEP, _BACKGROUND_BOX = 8, 5
# Six shades a channel make up a page's palette.
_SHADE = 48
# The share of a square that is not in the page's main colour, where a picture is.
_PICTURE_FILL = 0.93
# The share of such squares' centres among the neighbours of what belongs to the picture, too.
_PICTURE_NEAR = 0.06
_PICTURE_SQUARE = 7
# Of 255; and how many changes are summed in ``Page.edges``.
_TEXT_EDGES = 5
_EDGE_WINDOW = 5
EDGE_SUM: Final = 4 * _EDGE_WINDOW


@dataclass(frozen=True, eq=False)
class Page:
    """One screenshot: (rows, columns) arrays of one size, and others of half of it.

    height: of the page itself; the arrays of a very short one are continued below.
    brightness, colour: 0..255; colour is how far the channels are apart.
    contrast: how far from the background around it. ink: where that is much, pictures left out.
    covered: what is not in the page's main colour. main_share: how much is.
    edges, pictures, text: at half the size. edges: the change to the next pixel of the row, summed
    over ``EDGE_SUM`` of them; text: where those are strong, pictures left out.
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
        raise ValueError(f"pixels of shape {pixels.shape}; (1..{MAX_HEIGHT}, {WIDTH}, 3) is needed")
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
    """The median of the surroundings: of 40 rows and columns."""
    step = _BACKGROUND_STEP
    coarse = Image.fromarray(np.ascontiguousarray(brightness[::step, ::step]))
    median = np.asarray(coarse.filter(ImageFilter.MedianFilter(_BACKGROUND_BOX)))
    fine: Grey = median.repeat(step, axis=0).repeat(step, axis=1)
    return fine[: brightness.shape[0], : brightness.shape[1]]


def _covered(red: Grey, green: Grey, blue: Grey) -> tuple[Mask, float]:
    """What is not in the commonest of 216 colours, and the share of that colour."""
    code = red // _SHADE * np.uint8(36) + green // _SHADE * np.uint8(6) + blue // _SHADE
    counts = np.bincount(code[::2, ::2].ravel(), minlength=216)
    covered = code != np.uint8(counts.argmax())
    return covered, 1 - float(np.count_nonzero(covered)) / covered.size


def _pictures(covered: Mask) -> Mask:
    """Squares that are covered nearly everywhere, and what lies about them; at half the size."""
    square = _PICTURE_SQUARE**2
    full = _squares(covered[::2, ::2]) > _PICTURE_FILL * square
    pictures: Mask = _squares(full) > _PICTURE_NEAR * square
    return pictures


def _squares(mask: Mask) -> Grey:
    """How many pixels of the square about each pixel are true."""
    counts: Grey = _window_sums(
        _window_sums(mask.view(np.uint8), _PICTURE_SQUARE).T, _PICTURE_SQUARE
    ).T
    return counts


def _edges(brightness: Grey) -> npt.NDArray[np.uint16]:
    """Sums over two rows and five times two columns."""
    changes = np.zeros(brightness.shape, np.uint16)
    changes[:, :-1] = _difference(brightness[:, 1:], brightness[:, :-1])
    rows = changes[::2] + changes[1::2]
    edges: npt.NDArray[np.uint16] = _window_sums(rows[:, ::2] + rows[:, 1::2], _EDGE_WINDOW)
    return edges


def _window_sums(values: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    """Moving sums along rows, in the type of the values; beyond its edges a page goes on."""
    padded = np.pad(values, ((0, 0), (size // 2, size // 2)), mode="edge")
    wide = values.shape[1]
    sums = padded[:, :wide].copy()
    for shift in range(1, size):
        sums += padded[:, shift : shift + wide]
    return sums


def _doubled(mask: Mask) -> Mask:
    return mask.repeat(2, axis=0).repeat(2, axis=1)

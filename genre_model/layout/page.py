"""A screenshot taken apart: what is ink, what is a picture, what is text.

All lengths are in pixels of a screenshot of 320 pixels' width, which are four CSS pixels each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFilter
from scipy import ndimage

from genre_model.layout.signals import Floats, Mask
from genre_model.screenshot import Pixels

WIDTH: Final = 320
MAX_HEIGHT: Final = 960
# Above it most pages have the site's name and menu. A page is never taken for shorter than twice.
HEADER: Final = 60
_LEAST_HEIGHT = 2 * HEADER

# Of 255: how far from the background ink must be, and which is strong.
_INK, STRONG_INK = 18, 90
# Pixels a side on which the background is sought, every few pixels.
_BACKGROUND_STEP, _BACKGROUND_BOX = 8, (7, 5)
# Six shades a channel make up a page's palette.
_SHADE = 48
# The share of a square that is not in the page's main colour, where a picture is.
_PICTURE_FILL = 0.93
# The share of such squares' centres among the neighbours of what belongs to the picture, too.
_PICTURE_NEAR = 0.06
_PICTURE_RADIUS = 3
_TEXT_EDGES = 5.0


@dataclass(frozen=True, eq=False)
class Page:
    """One screenshot: (rows, columns) arrays of one size, and others of half of it.

    height: of the page itself; the arrays of a very short one are continued below.
    brightness, colour: 0..255; colour is how far the channels are apart.
    contrast: how far from the background around it. ink: where that is much, pictures left out.
    covered: what is not in the page's main colour. main_share: how much is.
    edges, pictures, text: at half the size. edges: mean change to the next pixel of the row;
    text: where those are strong, pictures left out.
    """

    height: int
    brightness: Floats
    colour: npt.NDArray[np.uint8]
    contrast: Floats
    ink: Mask
    covered: Mask
    main_share: float
    edges: Floats
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
    brightness: Floats = (red.astype(np.float32) + green + blue) / np.float32(3)
    contrast = np.abs(brightness - _background(brightness))
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
        text=(edges > _TEXT_EDGES) & ~pictures,
    )


def _background(brightness: Floats) -> Floats:
    """The median of the surroundings: of 56 rows and 40 columns."""
    step = _BACKGROUND_STEP
    coarse = ndimage.median_filter(brightness[::step, ::step], _BACKGROUND_BOX, mode="nearest")
    fine = coarse.repeat(step, axis=0).repeat(step, axis=1)
    found: Floats = fine[: brightness.shape[0], : brightness.shape[1]]
    return found


def _covered(
    red: npt.NDArray[np.uint8], green: npt.NDArray[np.uint8], blue: npt.NDArray[np.uint8]
) -> tuple[Mask, float]:
    """What is not in the commonest of 216 colours, and the share of that colour."""
    code = red // _SHADE * np.uint8(36) + green // _SHADE * np.uint8(6) + blue // _SHADE
    counts = np.bincount(code[::2, ::2].ravel(), minlength=216)
    covered = code != np.uint8(counts.argmax())
    return covered, 1 - float(np.count_nonzero(covered)) / covered.size


def _pictures(covered: Mask) -> Mask:
    """Squares that are covered nearly everywhere, and what lies about them; at half the size."""
    full = _share_around(covered[::2, ::2]) > _PICTURE_FILL * 255
    pictures: Mask = _share_around(full) > _PICTURE_NEAR * 255
    return pictures


def _share_around(mask: Mask) -> npt.NDArray[np.uint8]:
    """What share of the square about each pixel is true: 255 is all of it."""
    picture = Image.fromarray(mask.astype(np.uint8) * np.uint8(255))
    return np.asarray(picture.filter(ImageFilter.BoxBlur(_PICTURE_RADIUS)))


def _edges(brightness: Floats) -> Floats:
    changes = np.abs(np.diff(brightness, axis=1, append=brightness[:, -1:]))
    edges: Floats = ndimage.uniform_filter(halved(changes), (1, 5), mode="nearest")
    return edges


def halved(values: Floats) -> Floats:
    """Means of two by two values."""
    rows: Floats = values[::2] + values[1::2]
    means: Floats = (rows[:, ::2] + rows[:, 1::2]) * np.float32(0.25)
    return means


def _doubled(mask: Mask) -> Mask:
    return mask.repeat(2, axis=0).repeat(2, axis=1)

"""Decodes a screenshot to the pixels that the network reads.

Pages are scaled to the same width, whatever their height, because the length of a page is
informative. A page shorter than the window is padded at the bottom, a longer one cropped.
"""

from __future__ import annotations

import io
import math
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image

from genre_model.page_files import MAX_SCREENSHOT

MAX_PIXELS: Final = 40_000_000  # 1,280 pixels wide: 31,250 high
PADDING: Final = 127  # close to 0 after pixels are centred

Pixels = npt.NDArray[np.uint8]


class ScreenshotError(ValueError):
    """The screenshot cannot be read, or is too large."""


def decode(data: bytes, width: int, height: int) -> Pixels:
    """The top of the page as RGB pixels, (height, width, 3), padded at the bottom.

    Raises ScreenshotError if it is not a JPEG or PNG, or exceeds MAX_SCREENSHOT or MAX_PIXELS,
    which is checked before decoding.
    """
    window = np.full((height, width, 3), PADDING, dtype=np.uint8)
    top = decode_top(data, width, height)
    window[: len(top)] = top
    return window


def decode_top(data: bytes, width: int, height: int) -> Pixels:
    """The same without padding: (at most height, width, 3)."""
    if len(data) > MAX_SCREENSHOT:
        raise ScreenshotError(
            f"the screenshot has {len(data):,} bytes, more than {MAX_SCREENSHOT:,}"
        )
    try:
        with Image.open(io.BytesIO(data), formats=("JPEG", "PNG")) as picture:
            return _top(picture, width, height)
    except ScreenshotError:
        raise
    except Exception as error:
        raise ScreenshotError(f"not a readable JPEG or PNG: {type(error).__name__}") from error


def _top(picture: Image.Image, width: int, height: int) -> Pixels:
    if picture.width * picture.height > MAX_PIXELS:
        raise ScreenshotError(
            f"the screenshot has {picture.width} x {picture.height} pixels, "
            f"more than {MAX_PIXELS:,}"
        )
    # A JPEG can be decoded at a half, a quarter or an eighth of its size at a fraction of the cost.
    picture.draft("RGB", (width, max(1, picture.height * width // picture.width)))
    scale = width / picture.width
    rows = min(picture.height, math.ceil(height / scale))
    top = picture.convert("RGB").crop((0, 0, picture.width, rows))
    scaled = top.resize((width, min(height, max(1, round(rows * scale)))), Image.Resampling.BOX)
    return np.asarray(scaled)

"""Data augmentation: changes to a screenshot that keep its page type.

A page may be mirrored (sidebars change sides, as in right-to-left languages), zoomed slightly,
cropped, recoloured, inverted, and have rectangles painted over. It is never rotated and hardly
stretched, because lines of text must remain lines of text.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from genre_model.screenshot import PADDING, Pixels

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Augmentation:
    """The strength of the augmentation; chances are probabilities, the other numbers are shares.

    margin: the most of the width that is cut off on either side.
    stretch: the most by which the height is changed.
    offset: the most of the height that is cut off at the top.
    """

    margin: float = 0.06
    stretch: float = 0.12
    offset: float = 0.04
    mirror: float = 0.5
    shorten: float = 0.2
    recolour: float = 0.7
    negative: float = 0.2
    grey: float = 0.1
    erase: float = 0.4

    def __call__(
        self, page: Pixels, size: tuple[int, int], rng: np.random.Generator
    ) -> tuple[Pixels, bool]:
        """An augmented copy of a page, and whether it is mirrored.

        page: its pixels without padding, (rows, columns, 3), at the scale of ``size`` or finer.
        size: (height, width) of the result, which is padded or cropped at the bottom.
        """
        height, width = size
        shown = self._reframed(page, height, width, rng)
        mirrored = bool(rng.random() < self.mirror)
        if mirrored:
            shown = shown[:, ::-1]
        if rng.random() < self.shorten:
            shown = shown[: max(1, int(len(shown) * rng.uniform(0.4, 1)))]
        shown = self._repainted(shown, rng)
        result = np.full((height, width, 3), PADDING, dtype=np.uint8)
        result[: len(shown)] = shown
        return result, mirrored

    def _reframed(self, page: Pixels, height: int, width: int, rng: np.random.Generator) -> Pixels:
        rows, columns = page.shape[:2]
        left, right = rng.uniform(0, self.margin, 2) * columns
        top = rng.uniform(0, self.offset) * rows if rng.random() < 0.5 else 0.0
        scale = width / (columns - left - right)
        vertical = scale * (1 + rng.uniform(-self.stretch, self.stretch))
        bottom = min(float(rows), top + height / vertical)
        box = (left, top, columns - right, bottom)
        tall = min(height, max(1, round((bottom - top) * vertical)))
        picture = Image.fromarray(page).resize((width, tall), Image.Resampling.BILINEAR, box)
        return np.asarray(picture)

    def _repainted(self, page: Pixels, rng: np.random.Generator) -> Pixels:
        colours: Floats = page.astype(np.float32) / np.float32(255)
        if rng.random() < self.recolour:
            colours = _recoloured(colours, rng)
        if rng.random() < self.negative:
            colours = 1 - colours
        if rng.random() < self.grey:
            colours = np.repeat(colours.mean(axis=2, keepdims=True), 3, axis=2)
        if rng.random() < self.erase:
            _erase(colours, rng)
        return (colours * 255 + 0.5).clip(0, 255).astype(np.uint8)


def _recoloured(colours: Floats, rng: np.random.Generator) -> Floats:
    """Change the order of the channels, the contrast and the brightness."""
    colours = colours[..., rng.permutation(3)]
    gain = rng.uniform(0.75, 1.25, 3).astype(np.float32)
    shift = rng.uniform(-0.12, 0.12, 3).astype(np.float32)
    recoloured: Floats = (colours - 0.5) * gain + 0.5 + shift
    return recoloured


def _erase(colours: Floats, rng: np.random.Generator) -> None:
    """Paint over up to three rectangles, in place."""
    rows, columns = colours.shape[:2]
    for _ in range(rng.integers(1, 4)):
        tall, wide = (rng.uniform(0.05, 0.3, 2) * (rows, columns)).astype(int)
        top, left = rng.integers(0, rows - tall + 1), rng.integers(0, columns - wide + 1)
        colours[top : top + tall, left : left + wide] = rng.random(3)


#: No augmentation.
UNCHANGED = Augmentation(
    margin=0, stretch=0, offset=0, mirror=0, shorten=0, recolour=0, negative=0, grey=0, erase=0
)

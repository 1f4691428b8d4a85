"""Data augmentation: changes to a screenshot that keep its page type.

A page may be mirrored (sidebars change sides, as in right-to-left languages), zoomed slightly,
cropped, recoloured, inverted, and have rectangles painted over. It is never rotated and hardly
stretched, because lines of text must remain lines of text.

What happens to a page is drawn with its batch; the pixels are changed where the network runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from keras import layers, ops
from numpy.typing import NDArray

from genre_model.screenshot import PADDING

Floats = NDArray[np.float32]
Changes = dict[str, Floats]

_MOST_BOXES: Final = 3


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

    def draw(
        self,
        rows: NDArray[np.int64],
        columns: int,
        size: tuple[int, int],
        rng: np.random.Generator,
    ) -> tuple[Changes, NDArray[np.bool_]]:
        """The changes to the pages of a batch, for ``Augmented``, and which pages are mirrored.

        rows: of every page, without padding. columns: of all pages.
        size: (height, width) of the result; the pages are at its scale or finer.
        """
        height, width = size
        pages = len(rows)
        left, right = rng.uniform(0, self.margin, (2, pages)) * columns
        top = rng.uniform(0, self.offset, pages) * rows * (rng.random(pages) < 0.5)
        across = (columns - left - right) / width
        down = across / (1 + rng.uniform(-self.stretch, self.stretch, pages))
        mirrored = rng.random(pages) < self.mirror
        shown = np.minimum(height, np.maximum(1, np.rint((rows - top) / down)))
        shortened = np.where(rng.random(pages) < self.shorten, rng.uniform(0.4, 1, pages), 1.0)
        last = rows - 1.0
        changes = {
            "rows": np.stack((top, down, last), axis=1),
            "columns": np.stack(
                (
                    np.where(mirrored, columns - right, left),
                    np.where(mirrored, -across, across),
                    np.full(pages, columns - 1.0),
                ),
                axis=1,
            ),
            "shown": np.maximum(1, np.floor(shown * shortened))[:, None],
            "colours": self._colours(pages, rng),
            **self._boxes(shown, width, rng),
        }
        return {name: its.astype(np.float32) for name, its in changes.items()}, mirrored

    def _colours(self, pages: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """(pages, 4, 3): the colours of 0..1, followed by a 1, times this are the new ones."""
        recoloured = (rng.random(pages) < self.recolour)[:, None]
        gain = np.where(recoloured, rng.uniform(0.75, 1.25, (pages, 3)), 1.0)
        shift = np.where(recoloured, rng.uniform(-0.12, 0.12, (pages, 3)), 0.0)
        order = np.where(
            recoloured, rng.permuted(np.tile(np.arange(3), (pages, 1)), axis=1), [0, 1, 2]
        )
        linear = np.eye(3)[order].transpose(0, 2, 1) * gain[:, None]
        constant = 0.5 - 0.5 * gain + shift
        negative = np.where(rng.random(pages) < self.negative, -1.0, 1.0)
        linear = linear * negative[:, None, None]
        constant = np.where(negative[:, None] < 0, 1 - constant, constant)
        grey = rng.random(pages) < self.grey
        linear[grey] = linear[grey].mean(axis=2, keepdims=True)
        constant[grey] = constant[grey].mean(axis=1, keepdims=True)
        return np.concatenate((linear, constant[:, None]), axis=1)

    def _boxes(
        self, shown: NDArray[np.float64], width: int, rng: np.random.Generator
    ) -> dict[str, NDArray[np.float64]]:
        """Rectangles to paint over: (first row, end row, first column, end column), and colours."""
        pages = len(shown)
        count = np.where(rng.random(pages) < self.erase, rng.integers(1, _MOST_BOXES + 1, pages), 0)
        used = np.arange(_MOST_BOXES) < count[:, None]
        extent = np.stack((shown, np.full(pages, float(width))), axis=1)[:, None]
        sides = np.floor(rng.uniform(0.05, 0.3, (pages, _MOST_BOXES, 2)) * extent) * used[..., None]
        begin = np.floor(rng.random((pages, _MOST_BOXES, 2)) * (extent - sides + 1))
        boxes = np.stack((begin, begin + sides), axis=-1).reshape(pages, _MOST_BOXES, 4)
        return {"boxes": boxes, "paints": rng.random((pages, _MOST_BOXES, 3))}


#: No augmentation.
UNCHANGED = Augmentation(
    margin=0, stretch=0, offset=0, mirror=0, shorten=0, recolour=0, negative=0, grey=0, erase=0
)


class Augmented(layers.Layer):  # type: ignore[misc]  # Keras has no type stubs
    """Applies changes to pages.

    It takes "pixels", (batch, rows, columns, 3) of 0..255, and the ``Changes`` in one dictionary,
    and returns pixels of the given (height, width).
    """

    def __init__(self, size: tuple[int, int], **settings: Any) -> None:
        super().__init__(dtype="float32", trainable=False, **settings)
        self._size = size

    def call(self, inputs: dict[str, Any]) -> Any:
        height, width = self._size
        pixels = ops.cast(inputs["pixels"], "float32")
        pixels = _resampled(pixels, inputs["rows"], height, axis=1)
        pixels = _resampled(pixels, inputs["columns"], width, axis=2)
        colours = inputs["colours"]
        pixels = ops.einsum("bhwc,bcd->bhwd", pixels, colours[:, :3])
        pixels = pixels + 255 * colours[:, None, 3:]
        row = ops.arange(height, dtype="float32")[None, :, None, None]
        column = ops.arange(width, dtype="float32")[None, None, :, None]
        for number in range(_MOST_BOXES):
            top, bottom, left, right = (
                inputs["boxes"][:, number, side, None, None, None] for side in range(4)
            )
            inside = (row >= top) & (row < bottom) & (column >= left) & (column < right)
            pixels = ops.where(inside, 255 * inputs["paints"][:, number, None, None], pixels)
        is_shown = row < inputs["shown"][:, :, None, None]
        return ops.clip(ops.where(is_shown, pixels, float(PADDING)), 0.0, 255.0)


def _resampled(pixels: Any, line: Any, count: int, axis: int) -> Any:
    """Linear interpolation along an axis.

    line: (batch, 3): where in the pixels the result begins, its step, and the last pixel.
    """
    start, step, last = (line[:, part, None] for part in range(3))
    places = start + (ops.arange(count, dtype="float32")[None] + 0.5) * step - 0.5
    places = ops.clip(places, 0.0, last)
    before = ops.floor(places)
    shape = (-1, count, 1, 1) if axis == 1 else (-1, 1, count, 1)
    share = ops.reshape(places - before, shape)
    first = ops.reshape(ops.cast(before, "int32"), shape)
    second = ops.reshape(ops.cast(ops.minimum(before + 1, last), "int32"), shape)
    return (1 - share) * ops.take_along_axis(pixels, first, axis=axis) + share * (
        ops.take_along_axis(pixels, second, axis=axis)
    )

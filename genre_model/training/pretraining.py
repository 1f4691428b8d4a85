"""Pretrains a network on synthetic pages.

Besides genre and page type, the network predicts where on the page text, links, headings, pictures
and repeated entries are. This layout map is known exactly for every synthetic page, and gives a
thousand targets per page instead of two. Real pages without layout map may take part. Only the
backbone and the two heads are kept.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import keras
import numpy as np
from keras import layers, ops
from numpy.typing import NDArray
from PIL import Image

from genre_model.network.config import STRIDE
from genre_model.samples import read_samples
from genre_model.training.augmentation import Augmentation
from genre_model.training.batches import Batches
from genre_model.training.objective import LAST
from genre_model.training.synthesis.layout import CHANNELS, read_layouts
from genre_model.training.targets import Targets, label_targets
from genre_model.training.windows import chained, read_windows

LAYOUT = "layout"

# Cells of the layout map per cell of the last feature map, along each side.
_FINER = 4
# Layout maps cover the largest screenshot: 3840 by 1280 CSS px.
_MAP_ASPECT = 3

# No changes that move parts of the page, which would invalidate its map; mirroring also mirrors
# the map.
STILL = Augmentation(margin=0, stretch=0, offset=0, shorten=0)


def with_maps(model: Any) -> Any:
    """The model with a third output, the logits of the layout map.

    The map has one cell per 8 x 8 pixels of the window, and the channels of the layout maps.
    """
    seen = model.get_layer(LAST).output
    cells = layers.Conv2D(len(CHANNELS) * _FINER**2, 1, name="layout_cells")(seen)
    outputs = {**model.output, LAYOUT: DepthToSpace(_FINER, name=LAYOUT)(cells)}
    return keras.Model(model.input, outputs, name=model.name)


def read_pretraining(
    folder: Path,
    size: tuple[int, int],
    *,
    batch: int,
    seed: int,
    additional: Path | None = None,
    holdout: float = 0.05,
) -> tuple[Batches, Batches]:
    """Batches for training and for validation, from a folder that ``synthesize`` wrote.

    size: (height, width) of the window.
    additional: a folder of pages without layout maps, labelled or not.
    holdout: the share of pages for validation, which has at least one.
    Raises ValueError for a folder that cannot be read, or has a single page.
    """
    known = {name: _resampled(grid, size) for name, grid in read_layouts(folder).items()}
    samples = [sample for sample in read_samples(folder) if sample.id in known]
    if not samples:
        raise ValueError(f"{folder}: no labelled page with a layout map")
    windows = read_windows(folder, [sample.id for sample in samples], size, finer=1.0)
    maps = {LAYOUT: np.stack([known[sample.id] for sample in samples])}
    unmapped = read_samples(additional) if additional else []
    if additional:
        ids = [sample.id for sample in unmapped]
        windows = chained(windows, read_windows(additional, ids, size, finer=1.0))
        missing = np.zeros((len(unmapped), *maps[LAYOUT].shape[1:]), np.uint8)
        maps[LAYOUT] = np.concatenate((maps[LAYOUT], missing))
    labels = label_targets([*samples, *unmapped])
    has_layout = np.arange(len(windows)) < len(samples)
    weights = {**labels.weights, LAYOUT: has_layout.astype(np.float32)}
    targets = Targets(labels.answers, weights, maps)
    drawn = np.random.default_rng(seed).random(len(windows))
    held = drawn < holdout
    held[drawn.argmin()] = True
    if held.all():
        raise ValueError(f"{folder}: at least two pages are needed, one of them for validation")

    def batches(chosen: NDArray[np.bool_]) -> Batches:
        pages = np.flatnonzero(chosen)
        return Batches(windows, targets, pages, size, batch=batch, seed=seed, augmentation=STILL)

    return batches(~held), batches(held)


def _resampled(grid: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """The part of a map that is in the window, at the resolution of the third output."""
    height, width = (math.ceil(side / STRIDE) * _FINER for side in size)
    tall = round(_MAP_ASPECT * width)
    planes = [
        np.asarray(Image.fromarray(plane).resize((width, tall), Image.Resampling.BOX))[:height]
        for plane in np.moveaxis(grid, -1, 0)
    ]
    stacked = np.stack(planes, axis=-1)
    return np.pad(stacked, ((0, height - len(stacked)), (0, 0), (0, 0)))


class DepthToSpace(layers.Layer):  # type: ignore[misc]  # Keras has no type stubs
    """(batch, h, w, n * n * c) to (batch, n * h, n * w, c)."""

    def __init__(self, finer: int, **settings: Any) -> None:
        super().__init__(**settings)
        self.finer = finer

    def call(self, inputs: Any) -> Any:
        _, rows, columns, depth = inputs.shape
        n = self.finer
        cells = ops.reshape(inputs, (-1, rows, columns, n, n, depth // n**2))
        cells = ops.transpose(cells, (0, 1, 3, 2, 4, 5))
        return ops.reshape(cells, (-1, rows * n, columns * n, depth // n**2))

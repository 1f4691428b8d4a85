"""Pretrains a network on synthetic pages.

Besides genre and page type, the network predicts where on the page text, links, headings, pictures
and repeated entries are. This layout map is known exactly for every synthetic page, and gives a
thousand targets per page instead of two. Only the backbone and the two heads are kept.
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

from genre_model.training.augmentation import Augmentation
from genre_model.training.batches import Batches
from genre_model.training.samples import read_samples
from genre_model.training.synthesis.dataset import read_layouts
from genre_model.training.synthesis.layout import CHANNELS
from genre_model.training.targets import Targets, label_targets
from genre_model.training.windows import read_windows

LAYOUT = "layout"

# Cells of the layout map per cell of the last feature map, along each side.
_FINER = 4
_STRIDE = 32
# Layout maps cover the largest screenshot: 3840 by 1280 CSS px.
_MAP_ASPECT = 3

# No changes that move parts of the page, which would invalidate its map; mirroring also mirrors
# the map.
STILL = Augmentation(margin=0, stretch=0, offset=0, shorten=0)


def with_layout(model: Any) -> Any:
    """The model with a third output, the logits of the layout map.

    The output has one cell per 8 x 8 pixels of the window, and the channels of the layout maps.
    """
    features = model.get_layer("postnorm__relu").output
    cells = layers.Conv2D(len(CHANNELS) * _FINER**2, 1, name="layout_cells")(features)
    layout = _DepthToSpace(_FINER, name=LAYOUT)(cells)
    return keras.Model(model.input, {**model.output, LAYOUT: layout}, name=model.name)


def read_pretraining(
    folder: Path, size: tuple[int, int], *, batch: int, seed: int, holdout: float = 0.05
) -> tuple[Batches, Batches]:
    """Batches for training and for validation, from a folder that ``synthesize`` wrote.

    size: (height, width) of the window. Raises ValueError for a folder that cannot be read.
    """
    maps = {name: _resampled(grid, size) for name, grid in read_layouts(folder).items()}
    samples = [sample for sample in read_samples(folder) if sample.id in maps]
    if not samples:
        raise ValueError(f"{folder}: no labelled page with a layout map")
    windows = read_windows(folder, [sample.id for sample in samples], size, finer=1.0)
    labels = label_targets(samples)
    stacked = np.stack([maps[sample.id] for sample in samples])
    targets = Targets(labels.answers, labels.weights, {LAYOUT: stacked})
    held = np.random.default_rng(seed).random(len(samples)) < holdout
    return (
        Batches(
            windows,
            targets,
            np.flatnonzero(~held),
            size,
            batch=batch,
            seed=seed,
            augmentation=STILL,
        ),
        Batches(
            windows, targets, np.flatnonzero(held), size, batch=batch, seed=seed, augmentation=STILL
        ),
    )


def _resampled(grid: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """The part of a map that is in the window, at the resolution of the third output."""
    height, width = (math.ceil(side / _STRIDE) * _FINER for side in size)
    tall = round(_MAP_ASPECT * width)
    planes = [
        np.asarray(Image.fromarray(plane).resize((width, tall), Image.Resampling.BOX))[:height]
        for plane in np.moveaxis(grid, -1, 0)
    ]
    stacked = np.stack(planes, axis=-1)
    return np.pad(stacked, ((0, height - len(stacked)), (0, 0), (0, 0)))


class _DepthToSpace(layers.Layer):  # type: ignore[misc]  # Keras has no type stubs
    """(batch, h, w, n * n * c) to (batch, n * h, n * w, c)."""

    def __init__(self, finer: int, **settings: Any) -> None:
        super().__init__(**settings)
        self._finer = finer

    def call(self, inputs: Any) -> Any:
        _, rows, columns, depth = inputs.shape
        n = self._finer
        cells = ops.reshape(inputs, (-1, rows, columns, n, n, depth // n**2))
        cells = ops.transpose(cells, (0, 1, 3, 2, 4, 5))
        return ops.reshape(cells, (-1, rows * n, columns * n, depth // n**2))

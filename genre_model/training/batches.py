"""Batches of labelled windows for training, augmented differently in every epoch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import keras
import numpy as np
from numpy.typing import NDArray

from genre_model.screenshot import PADDING
from genre_model.training.augmentation import Augmentation, Changes
from genre_model.training.targets import Targets
from genre_model.training.windows import Windows

Floats = NDArray[np.float32]
Batch = tuple[Mapping[str, NDArray[Any]], Mapping[str, Floats], Mapping[str, Floats]]

_THREADS = 2


class Batches(keras.utils.PyDataset):  # type: ignore[misc]  # Keras has no type stubs
    """Shuffled batches of (pixels and changes, targets by head, weights by head).

    The first part is for ``augmentation.Augmented``.

    chosen: the pages of ``windows`` and ``targets`` to use.
    order: the pages of this epoch, in order.
    size: (height, width) of the network's window.
    others: pages from which a sample of the same size is added, drawn anew for every epoch.
    The augmentation of a batch depends only on its number, epoch and seed.
    """

    def __init__(
        self,
        windows: Windows,
        targets: Targets,
        chosen: NDArray[np.int64],
        size: tuple[int, int],
        *,
        batch: int = 32,
        seed: int = 0,
        augmentation: Augmentation | None = None,
        others: NDArray[np.int64] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(workers=_THREADS, **settings)
        self.windows = windows
        self._targets = targets
        self._chosen = chosen
        self.size = size
        self._tallest = int(windows.heights.max(initial=1))
        self.batch = batch
        self._seed = seed
        self._augmentation = augmentation or Augmentation()
        self._others = np.zeros(0, np.int64) if others is None else others
        self._epoch = 0
        self.order = self._shuffled()

    def __len__(self) -> int:
        return math.ceil(len(self.order) / self.batch)

    def __getitem__(self, number: int) -> Batch:
        pages, changes, answers, weights = self.described(number)
        width = self.windows.width
        pixels = np.full((len(pages), self._tallest, width, 3), PADDING, np.uint8)
        for row, page in enumerate(pages.tolist()):
            window = self.windows[page]
            pixels[row, : len(window)] = window
        return {"pixels": pixels, **changes}, answers, weights

    def described(
        self, number: int
    ) -> tuple[NDArray[np.int64], Changes, dict[str, Floats], dict[str, Floats]]:
        """A batch without its pixels: the pages, their changes, targets and weights."""
        pages = self.order[number * self.batch : (number + 1) * self.batch]
        rng = np.random.default_rng((self._seed, self._epoch, number))
        rows = self.windows.heights[pages]
        changes, mirrored = self._augmentation.draw(rows, self.windows.width, self.size, rng)
        return pages, changes, *self._targets.of(pages, mirrored)

    def begin(self, epoch: int) -> None:
        """Start an epoch, counted from 0; if not called, the first one is repeated."""
        self._epoch = epoch
        self.order = self._shuffled()

    def _shuffled(self) -> NDArray[np.int64]:
        rng = np.random.default_rng((self._seed, self._epoch))
        others = rng.permutation(self._others)[: len(self._chosen)]
        return rng.permutation(np.concatenate((self._chosen, others)))

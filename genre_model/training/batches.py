"""Batches of labelled windows for training, augmented differently in every epoch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import keras
import numpy as np
from numpy.typing import NDArray

from genre_model.training.augmentation import Augmentation
from genre_model.training.targets import Targets
from genre_model.training.windows import Windows

Floats = NDArray[np.float32]
Batch = tuple[Floats, Mapping[str, Floats], Mapping[str, Floats]]


class Batches(keras.utils.PyDataset):  # type: ignore[misc]  # Keras has no type stubs
    """Shuffled batches of (pixels, targets by head, weights by head).

    chosen: the pages of ``windows`` and ``targets`` to use.
    order: the pages of this epoch, in order.
    others: pages from which a sample of the same size is added, drawn anew for every epoch.
    The augmentation of a page depends only on page, epoch and seed.
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
        super().__init__(**settings)
        self._windows = windows
        self._targets = targets
        self._chosen = chosen
        self._size = size
        self._batch = batch
        self._seed = seed
        self._augmentation = augmentation or Augmentation()
        self._others = np.zeros(0, np.int64) if others is None else others
        self._epoch = 0
        self.order = self._shuffled()

    def __len__(self) -> int:
        return math.ceil(len(self.order) / self._batch)

    def __getitem__(self, number: int) -> Batch:
        pages = self.order[number * self._batch : (number + 1) * self._batch]
        pixels = np.empty((len(pages), *self._size, 3), np.float32)
        mirrored = np.zeros(len(pages), np.bool_)
        for row, page in enumerate(pages.tolist()):
            rng = np.random.default_rng((self._seed, self._epoch, page))
            pixels[row], mirrored[row] = self._augmentation(self._windows[page], self._size, rng)
        return pixels, *self._targets.of(pages, mirrored)

    def begin(self, epoch: int) -> None:
        """Start an epoch, counted from 0; if not called, the first one is repeated."""
        self._epoch = epoch
        self.order = self._shuffled()

    def _shuffled(self) -> NDArray[np.int64]:
        rng = np.random.default_rng((self._seed, self._epoch))
        others = rng.permutation(self._others)[: len(self._chosen)]
        return rng.permutation(np.concatenate((self._chosen, others)))

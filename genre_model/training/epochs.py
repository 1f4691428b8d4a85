"""Keras callbacks that make training resumable.

Besides the state that Keras saves, the folder of a run has the metrics of its epochs and the
weights of the best one.
"""

from __future__ import annotations

import json
import logging
import math
from pathlib import Path
from typing import Any

import numpy as np
from keras import callbacks
from numpy.typing import NDArray

from corpus_commons.durable_files import replacing
from genre_model.training.batches import Batches

_log = logging.getLogger("genre_model")

Logs = dict[str, float] | None


class Pages(callbacks.Callback):  # type: ignore[misc]  # Keras has no type stubs
    """Selects the batches of the current epoch, which in a resumed run is not the process's first.

    before: the number of epochs in earlier phases.
    """

    def __init__(self, batches: Batches, before: int) -> None:
        super().__init__()
        self._batches = batches
        self._before = before

    def on_epoch_begin(self, epoch: int, logs: Logs = None) -> None:
        self._batches.begin(self._before + epoch)


class Record(callbacks.Callback):  # type: ignore[misc]  # Keras has no type stubs
    """Logs and stores the metrics of every epoch.

    folder: where they are stored, to be read again when the run is resumed.
    """

    def __init__(self, folder: Path | None) -> None:
        super().__init__()
        self._path = folder and folder / "history.json"
        self.epochs: list[dict[str, float]] = []
        if self._path and self._path.exists():
            self.epochs = json.loads(self._path.read_bytes())

    def on_epoch_begin(self, epoch: int, logs: Logs = None) -> None:
        # The saved state may be an epoch older; that epoch is then repeated.
        del self.epochs[epoch:]

    def on_epoch_end(self, epoch: int, logs: Logs = None) -> None:
        self.epochs.append({name: float(value) for name, value in (logs or {}).items()})
        if self._path:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(self._path) as file:
                file.write(json.dumps(self.epochs).encode())
        figures = " ".join(
            f"{name.replace('categorical_', '')} {value:.3f}"
            for name, value in self.epochs[-1].items()
        )
        _log.info("epoch %d of %d: %s", epoch + 1, self.params["epochs"], figures)


class Best(callbacks.Callback):  # type: ignore[misc]  # Keras has no type stubs
    """Early stopping on the validation loss; restores the best weights.

    These are the weights that were validated: the averaged ones if weights are averaged.

    patience: epochs without a better loss. record: of this run; it must be an earlier callback.
    folder: where the weights are stored for a resumed run.
    """

    def __init__(self, patience: int, record: Record, folder: Path | None) -> None:
        super().__init__()
        self._patience = patience
        self._record = record
        self._path = folder and folder / "best.npz"
        self._weights: list[NDArray[Any]] | None = None
        if self._path and self._path.exists():
            with np.load(self._path, allow_pickle=False) as arrays:
                self._weights = list(arrays.values())

    def on_test_end(self, logs: Logs = None) -> None:
        best = min(self._losses(), default=math.inf)
        if self._weights is None or (logs or {})["loss"] < best:
            self._weights = self.model.get_weights()
            self._keep(self._weights)

    def on_epoch_end(self, epoch: int, logs: Logs = None) -> None:
        losses = self._losses()
        since = len(losses) - 1 - losses.index(min(losses))
        self.model.stop_training = since >= self._patience

    def on_train_end(self, logs: Logs = None) -> None:
        if self._weights is not None:
            self.model.set_weights(self._weights)

    def _losses(self) -> list[float]:
        return [figures["val_loss"] for figures in self._record.epochs]

    def _keep(self, weights: list[NDArray[Any]]) -> None:
        if self._path:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(self._path) as file:
                np.savez(file, *weights)

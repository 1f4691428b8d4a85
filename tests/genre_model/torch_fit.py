"""Trains as on a GPU, on the CPU; writes how far the loss falls, and accuracy."""

from __future__ import annotations

import sys

import numpy as np
from keras import layers
from tiny_training import CONFIG, PAGES, SIZE, tiny_backbone

from genre_model.labels import HEADS
from genre_model.network.model import network
from genre_model.training.augmentation import UNCHANGED
from genre_model.training.batches import Batches
from genre_model.training.targets import Targets
from genre_model.training.windows import joined

KINDS = np.arange(PAGES) % 2


def dark_and_light() -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [(rng.integers(0, 60, (64, 32, 3)) + 180 * kind).astype(np.uint8) for kind in KINDS]


def batches() -> Batches:
    targets = Targets(
        {head: np.eye(len(names), dtype=np.float32)[KINDS] for head, names in HEADS.items()},
        {head: np.ones(PAGES, np.float32) for head in HEADS},
    )
    windows = joined(dark_and_light(), SIZE[1])
    return Batches(windows, targets, np.arange(PAGES), SIZE, batch=8, augmentation=UNCHANGED)


def main() -> None:
    from genre_model.training.cuda import fit  # noqa: PLC0415 - PyTorch need not be installed

    for teacher in (None, network(CONFIG)):
        student = network(CONFIG)
        for layer in student.layers:
            if isinstance(layer, layers.BatchNormalization):
                layer.momentum = 0.5
        losses = fit(
            student,
            batches(),
            teacher,
            range(20),
            rate=1e-2,
            weight_decay=0.02,
            smoothing=0.1,
            averaging=0.5,
            device="cpu",
        )
        answers = student.predict_on_batch(np.stack(dark_and_light()).astype(np.float32))
        right = (answers["genre"].argmax(axis=1) == KINDS).mean()
        sys.stdout.write(f"{min(losses) / losses[0]} {right}\n")


if __name__ == "__main__":
    with tiny_backbone():
        main()

"""Trains as on a GPU, on the CPU; prints how far the loss falls, and accuracy."""

import sys

import numpy as np
from keras import layers
from tiny_training import CONFIG, PAGES, SIZE, tiny_backbone

from genre_model.labels import HEADS
from genre_model.network.model import network
from genre_model.training.augmentation import UNCHANGED
from genre_model.training.batches import Batches
from genre_model.training.cuda import fit
from genre_model.training.targets import Targets
from genre_model.training.windows import joined

rng = np.random.default_rng(0)
dark_and_light = [
    (rng.integers(0, 60, (64, 32, 3)) + 180 * (page % 2)).astype(np.uint8) for page in range(PAGES)
]
kinds = np.arange(PAGES) % 2
targets = Targets(
    {head: np.eye(len(names), dtype=np.float32)[kinds] for head, names in HEADS.items()},
    {head: np.ones(PAGES, np.float32) for head in HEADS},
)
with tiny_backbone():
    windows = joined(dark_and_light, SIZE[1])
    batches = Batches(windows, targets, np.arange(PAGES), SIZE, batch=8, augmentation=UNCHANGED)
    for teacher in (None, network(CONFIG)):
        learner = network(CONFIG)
        for layer in learner.layers:
            if isinstance(layer, layers.BatchNormalization):
                layer.momentum = 0.5
        losses = fit(
            learner,
            batches,
            teacher,
            range(20),
            rate=1e-2,
            weight_decay=0.02,
            smoothing=0.1,
            averaging=0.5,
            device="cpu",
        )
        answers = learner.predict_on_batch(np.stack(dark_and_light).astype(np.float32))
        right = (answers["genre"].argmax(axis=1) == kinds).mean()
        sys.stdout.write(f"{min(losses) / losses[0]} {right}\n")

"""A network with random weights, small enough for tests, and pictures as input."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image

from genre_model.network.config import NetworkConfig

CONFIG = NetworkConfig(
    variant="resnet_v2_26",
    window=(48, 32),
    width=0.05,
    genre_temperature=2.0,
    threshold=0.0,
)


def save_tiny_network(path: Path) -> Path:
    """Write the network; its weights are the same in every run."""
    from genre_model.network.tensorflow_runtime import tensorflow  # noqa: PLC0415 - only where it is used

    tensorflow(threads=1)
    import keras  # noqa: PLC0415 - on the backend that was just set

    from genre_model.network.model import network, save_network  # noqa: PLC0415 - imports Keras

    # TensorFlow's own seed does not reach Keras's initialisers.
    keras.utils.set_random_seed(1)
    save_network(path, network(CONFIG), CONFIG)
    return path


def picture(seed: int, kind: str = "JPEG") -> bytes:
    """An encoded picture of random colours."""
    colours = np.random.default_rng(seed).integers(0, 255, (6, 4, 3), np.uint8)
    out = io.BytesIO()
    Image.fromarray(colours).resize((64, 96)).save(out, kind)
    return out.getvalue()

"""A tiny network to train, and labelled screenshots that it learns in a few steps."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from genre_model.network import backbones, resnet_v2
from genre_model.network.backbones import Backbone
from genre_model.network.config import NetworkConfig
from genre_model.network.resnet_v2 import VARIANTS, Variant
from genre_model.network.tensorflow_runtime import tensorflow
from genre_model.training.synthesis.layout import CHANNELS, COLUMNS, ROWS

SIZE = (64, 32)
CONFIG = NetworkConfig("tiny", SIZE, width=0.125)
PAGES = 24


@contextmanager
def tiny_backbone() -> Iterator[None]:
    """A network of the family with one unit per block, which Keras compiles quickly."""
    blocks = tuple(replace(block, units=1) for block in VARIANTS["resnet_v2_26"].blocks)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resnet_v2, "VARIANTS", {"tiny": Variant(blocks)})
        lines = {name: Backbone(None, "inception") for name in ("tiny", "efficientnet_lite0")}
        patch.setattr(backbones, "BACKBONES", lines)
        yield


@contextmanager
def eagerly() -> Iterator[None]:
    """Eager execution: making graphs of so many networks would take longer than training them."""
    configuration = tensorflow().config
    configuration.run_functions_eagerly(True)
    try:
        yield
    finally:
        configuration.run_functions_eagerly(False)


def dark_and_light(folder: Path) -> Path:
    """Fill a folder: articles are dark, list views light. Two pages are of one site."""
    (folder / "shots").mkdir()
    rng = np.random.default_rng(0)
    lines = []
    for number in range(PAGES):
        genre = ("article", "list-view")[number % 2]
        pixels = rng.integers(0, 60, (64, 32, 3)) + 180 * (number % 2)
        data = io.BytesIO()
        Image.fromarray(pixels.astype(np.uint8)).save(data, "PNG")
        (folder / "shots" / f"{number:02}.png").write_bytes(data.getvalue())
        lines.append(json.dumps({"id": f"{number:02}", "genre": genre, "repo": f"s{number // 2}"}))
    (folder / "labels.jsonl").write_text("\n".join(lines) + "\n")
    maps = rng.integers(0, 255, (PAGES, ROWS, COLUMNS, len(CHANNELS)), dtype=np.uint8)
    ids = np.array([f"{number:02}" for number in range(PAGES)])
    np.savez_compressed(folder / "layouts-00000.npz", ids=ids, layouts=maps)
    return folder

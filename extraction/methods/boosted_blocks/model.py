"""The model file: the names of the features it was trained on, and its trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson
import zstandard

from boosting.booster import Booster
from extraction.methods.boosted_blocks.features import matrix

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from extraction.methods.boosted_blocks.view import PageView

_MAX_BYTES = 64_000_000


@dataclass(frozen=True, eq=False)
class Model:
    """Gives every block the probability that it is main content."""

    features: tuple[str, ...]
    trees: Booster

    def probabilities(self, view: PageView) -> npt.NDArray[np.float64]:
        """One entry a block, in [0, 1]."""
        return self.trees.predict(matrix(view, self.features))


def load(file: Path) -> Model:
    """The model that ``save`` wrote."""
    packed = zstandard.ZstdDecompressor().decompress(file.read_bytes(), _MAX_BYTES)
    content = orjson.loads(packed)
    return Model(tuple(content["features"]), Booster(content["trees"]))


def save(file: Path, features: tuple[str, ...], trees: str) -> None:
    """Write the names of the features and the trees, in LightGBM's text format."""
    content = orjson.dumps({"features": features, "trees": trees})
    file.write_bytes(zstandard.ZstdCompressor(level=19).compress(content))

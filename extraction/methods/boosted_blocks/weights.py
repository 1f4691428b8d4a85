"""How much a block weighs among others: by its words, though one without words weighs, too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from extraction.methods.boosted_blocks.arrays import Floats, Singles

Real = TypeVar("Real", np.float32, np.float64)

_LEAST_WORDS: Final = 0.3
_MORE_WORDS: Final = 0.5


def weights_of(words: Singles) -> Floats:
    """The weight of every block where words are counted: in a decision. words: per block."""
    return np.maximum(words.astype(np.float64), _LEAST_WORDS)


def root_weights_of(words: npt.NDArray[Real]) -> npt.NDArray[Real]:
    """The weight of every block where blocks are counted: a long one must not outweigh all others.

    words: per block; the weights have the same precision.
    """
    weights: npt.NDArray[Real] = np.sqrt(words + words.dtype.type(_MORE_WORDS))
    return weights

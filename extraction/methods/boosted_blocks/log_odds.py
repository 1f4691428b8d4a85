"""Probabilities as log odds, to which evidence is added."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from extraction.methods.boosted_blocks.arrays import Floats

# Probabilities are not trusted beyond these.
_LEAST, _MOST = 0.003, 0.997


def log_odds(probabilities: Floats) -> Floats:
    """The logarithms of the odds, within limits."""
    limited = np.clip(probabilities, _LEAST, _MOST)
    odds: Floats = np.log(limited / (1 - limited))
    return odds


def probabilities_of(odds: Floats) -> Floats:
    """The probabilities with these log odds."""
    probabilities: Floats = 1 / (1 + np.exp(-odds))
    return probabilities

"""From the probabilities of blocks to the set that is kept.

A page is judged by the F1 of its words, so the set is chosen that promises the best: of all sets
that hold the most probable blocks, the one with the greatest expected F1 (as in the F-measure
maximisation of Lewis 1995). A fixed threshold of 0.5 keeps too little of pages where everything
is doubtful.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

# A block without words still takes its place.
_LEAST_WORDS = 0.3


class Decision(NamedTuple):
    """kept: which blocks are kept; expected_f1: what the probabilities promise of that choice."""

    kept: npt.NDArray[np.bool_]
    expected_f1: float


def decide(probabilities: Floats, words: npt.NDArray[np.float32]) -> Decision:
    """The set of blocks with the greatest expected F1 of words.

    >>> decide(np.array([0.9, 0.4, 0.1]), np.float32([10, 10, 10])).kept.tolist()
    [True, True, False]
    """
    weights = np.maximum(words.astype(np.float64), _LEAST_WORDS)
    order = np.argsort(-probabilities, kind="stable")
    kept_words = np.cumsum(weights[order])
    right_words = np.cumsum((weights * probabilities)[order])
    expected = 2 * right_words / (kept_words + right_words[-1])
    best = int(np.argmax(expected))
    kept = np.zeros(len(probabilities), dtype=np.bool_)
    kept[order[: best + 1]] = True
    return Decision(kept, float(expected[best]))

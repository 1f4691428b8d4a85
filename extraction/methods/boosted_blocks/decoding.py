"""From the probabilities of blocks to the set that is kept.

A page is judged by the F1 of its words, so the set is chosen that promises the best: of all sets
that hold the most probable blocks, the one with the greatest expected F1 (as in the F-measure
maximisation of Lewis 1995). A fixed threshold of 0.5 keeps too little of pages where everything
is doubtful.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from extraction.methods.boosted_blocks.characters import Floats as Words
    from markup.characters import Integers

Floats = npt.NDArray[np.float64]

# A block without words still takes its place.
_LEAST_WORDS = 0.3
# A page of some blocks with few words, none of them likely to be content, is a menu and a footer.
_SOME_BLOCKS = 10
_FEW_WORDS = 200
_UNLIKELY = 0.4


class Decision(NamedTuple):
    """kept: which blocks are kept; expected_f1: what the probabilities promise of that choice."""

    kept: npt.NDArray[np.bool_]
    expected_f1: float


def decide(
    probabilities: Floats, words: Words, copies: Integers, *, strictness: float = 1.0
) -> Decision:
    """The set of blocks with the greatest expected F1 of words.

    words: of every block.
    copies: for every block a number; of those that share one, the likeliest alone can be kept.
    strictness: the power that probabilities are raised to; above 1, doubtful blocks are dropped.

    >>> chances, words = np.array([0.9, 0.4, 0.1]), np.float32([100, 100, 100])
    >>> decide(chances, words, np.arange(3)).kept.tolist()
    [True, True, False]
    >>> decide(chances, words, np.array([0, 0, 2])).kept.tolist()
    [True, False, False]
    """
    weights = np.maximum(words.astype(np.float64), _LEAST_WORDS)
    kept = np.zeros(len(probabilities), dtype=np.bool_)
    if _is_frame(probabilities, weights):
        return Decision(kept, 0.0)
    order = np.argsort(-probabilities, kind="stable")
    order = order[np.sort(np.unique(copies[order], return_index=True)[1])]
    chances = probabilities[order] ** strictness
    kept_words = np.cumsum(weights[order])
    right_words = np.cumsum(weights[order] * chances)
    expected = 2 * right_words / (kept_words + right_words[-1])
    best = int(np.argmax(expected))
    kept[order[: best + 1]] = True
    return Decision(kept, float(expected[best]))


def _is_frame(probabilities: Floats, weights: Floats) -> bool:
    """Whether a page has hardly any text, and none that looks like content."""
    return bool(
        len(probabilities) >= _SOME_BLOCKS
        and weights.sum() < _FEW_WORDS
        and probabilities.max() < _UNLIKELY
    )

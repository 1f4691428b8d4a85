"""From the probabilities of blocks to the set that is kept.

A page is judged by the F1 of its words, so the set is chosen that promises the best: of all sets
that hold the most probable blocks, the one with the greatest expected F1 (as in the F-measure
maximisation of Lewis 1995). A fixed threshold of 0.5 keeps too little of pages where everything
is doubtful.

That takes blocks for independent, which they are not: what comes after the end (other articles,
other products) is right or wrong together. So a part that comes after a gap has to be surer. And a
row of data is read as one: without some of its cells it says something else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from extraction.methods.boosted_blocks.characters import Floats as Words
    from markup.characters import Integers
    from markup.dom import IntArray

Floats = npt.NDArray[np.float64]

# A block without words still takes its place.
_LEAST_WORDS = 0.3
# A page of some blocks with few words, none of them likely to be content, is a menu and a footer.
_SOME_BLOCKS = 10
_FEW_WORDS = 200
_UNLIKELY = 0.4


class Manner(NamedTuple):
    """How a page is decided.

    strictness: the power that probabilities are raised to; above 1, doubtful blocks are dropped.
    certainty: the probability that a part after the main one must have, on the average of its
        words.
    gap: parts have more words between them that are left out.
    """

    strictness: float = 1.0
    certainty: float = 0.0
    gap: float = 60.0


_EVEN: Final = Manner()


class Decision(NamedTuple):
    """kept: which blocks are kept.

    expected_f1: what the probabilities promise, before doubtful parts are left out.
    """

    kept: npt.NDArray[np.bool_]
    expected_f1: float


def decide(
    probabilities: Floats, words: Words, copies: Integers, manner: Manner = _EVEN
) -> Decision:
    """The set of blocks with the greatest expected F1 of words.

    words: of every block.
    copies: for every block a number; of those that share one, the likeliest alone can be kept.

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
    chances = probabilities[order] ** manner.strictness
    kept_words = np.cumsum(weights[order])
    right_words = np.cumsum(weights[order] * chances)
    expected = 2 * right_words / (kept_words + right_words[-1])
    best = int(np.argmax(expected))
    kept[order[: best + 1]] = True
    kept &= ~_doubtful_parts(kept, probabilities, weights, manner)
    return Decision(kept, float(expected[best]))


def completed(kept: npt.NDArray[np.bool_], words: Words, rows: IntArray) -> npt.NDArray[np.bool_]:
    """The kept blocks, and all of every row that half of the words are kept of.

    words: of every block.
    rows: for every block the row of data that it is in; -1 for all others.

    >>> kept, words = np.array([True, False, False, True]), np.float32([2, 1, 9, 2])
    >>> completed(kept, words, np.array([5, 5, -1, -1])).tolist()
    [True, True, False, True]
    """
    weights = np.maximum(words, _LEAST_WORDS)
    # The entry for -1 has the blocks outside all rows.
    row_of = rows + 1
    is_kept = 2 * np.bincount(row_of, weights * kept) >= np.bincount(row_of, weights)
    is_kept[0] = False
    return kept | is_kept[row_of]


def _doubtful_parts(
    kept: npt.NDArray[np.bool_], probabilities: Floats, weights: Floats, manner: Manner
) -> npt.NDArray[np.bool_]:
    """The blocks of the parts that come after the main one and are not certain enough."""
    blocks = np.flatnonzero(kept)
    left_out = np.cumsum(np.where(kept, 0.0, weights))[blocks]
    part_of = np.concatenate(([0], np.cumsum(np.diff(left_out) > manner.gap)))
    words = np.bincount(part_of, weights[blocks])
    right_words = np.bincount(part_of, weights[blocks] * probabilities[blocks])
    is_doubtful = right_words < manner.certainty * words
    is_doubtful[: int(np.argmax(right_words)) + 1] = False
    doubtful = np.zeros_like(kept)
    doubtful[blocks] = is_doubtful[part_of]
    return doubtful


def _is_frame(probabilities: Floats, weights: Floats) -> bool:
    """Whether a page has hardly any text, and none that looks like content."""
    return bool(
        len(probabilities) >= _SOME_BLOCKS
        and weights.sum() < _FEW_WORDS
        and probabilities.max() < _UNLIKELY
    )

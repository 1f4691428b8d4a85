"""Chooses the set of blocks to keep from their probabilities.

Extraction is measured by word F1, so the set with the greatest expected F1 is kept, of all sets
that consist of the k most probable blocks (the F-measure maximisation of Lewis 1995). A fixed
threshold of 0.5 keeps too little of pages on which all blocks are uncertain.

This treats blocks as independent, which they are not: what follows the end of the content (other
articles, other products) is right or wrong as a whole. So a part that comes after a gap must be
more probable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from extraction.methods.boosted_blocks.weights import weights_of

if TYPE_CHECKING:
    from corpus_commons.markup.characters import Integers
    from extraction.methods.boosted_blocks.arrays import Floats, Singles

# A page with several blocks, few words and no likely block has nothing but a menu and a footer.
_SOME_BLOCKS = 10
_FEW_WORDS = 200
_UNLIKELY = 0.4


class Policy(NamedTuple):
    """How the decision is made, depending on the page type.

    strictness: the power to which probabilities are raised; above 1, uncertain blocks are dropped.
    certainty: the mean probability (over its words) that a part after the main one must reach.
    gap: kept blocks with more dropped words than this between them are in different parts.
    agreement: how far blocks in one place of the page's structure are decided together, in [0, 1].
    """

    strictness: float = 1.0
    certainty: float = 0.0
    gap: float = 60.0
    agreement: float = 0.0


_NEUTRAL: Final = Policy()


class Decision(NamedTuple):
    """kept: for every block, whether it is kept.

    expected_f1: computed from the probabilities, before uncertain parts are dropped.
    """

    kept: npt.NDArray[np.bool_]
    expected_f1: float


def decide(
    probabilities: Floats, words: Singles, copies: Integers, policy: Policy = _NEUTRAL
) -> Decision:
    """The set of blocks with the greatest expected word F1.

    words: per block.
    copies: a number per block; of the blocks with the same number, only the most probable may be
        kept.

    >>> chances, words = np.array([0.9, 0.4, 0.1]), np.float32([100, 100, 100])
    >>> decide(chances, words, np.arange(3)).kept.tolist()
    [True, True, False]
    >>> decide(chances, words, np.array([0, 0, 2])).kept.tolist()
    [True, False, False]
    """
    weights = weights_of(words)
    kept = np.zeros(len(probabilities), dtype=np.bool_)
    if _is_near_empty(probabilities, weights):
        return Decision(kept, 0.0)
    order = np.argsort(-probabilities, kind="stable")
    order = order[np.sort(np.unique(copies[order], return_index=True)[1])]
    chances = probabilities[order] ** policy.strictness
    kept_words = np.cumsum(weights[order])
    right_words = np.cumsum(weights[order] * chances)
    expected = 2 * right_words / (kept_words + right_words[-1])
    best = int(np.argmax(expected))
    kept[order[: best + 1]] = True
    kept &= ~_doubtful_parts(kept, probabilities, weights, policy)
    return Decision(kept, float(expected[best]))


def _doubtful_parts(
    kept: npt.NDArray[np.bool_], probabilities: Floats, weights: Floats, policy: Policy
) -> npt.NDArray[np.bool_]:
    """The blocks of those parts after the main one whose probability is too low."""
    blocks = np.flatnonzero(kept)
    left_out = np.cumsum(np.where(kept, 0.0, weights))[blocks]
    part_of = np.concatenate(([0], np.cumsum(np.diff(left_out) > policy.gap)))
    words = np.bincount(part_of, weights[blocks])
    right_words = np.bincount(part_of, weights[blocks] * probabilities[blocks])
    is_doubtful = right_words < policy.certainty * words
    # A long column of teasers may have more words that are right than a short text has words.
    sure_words = np.bincount(part_of, weights[blocks] * probabilities[blocks] ** 2)
    is_doubtful[: int(np.argmax(sure_words)) + 1] = False
    doubtful = np.zeros_like(kept)
    doubtful[blocks] = is_doubtful[part_of]
    return doubtful


def _is_near_empty(probabilities: Floats, weights: Floats) -> bool:
    """Whether a page has hardly any text and no block that is likely to be content."""
    return bool(
        len(probabilities) >= _SOME_BLOCKS
        and weights.sum() < _FEW_WORDS
        and probabilities.max() < _UNLIKELY
    )

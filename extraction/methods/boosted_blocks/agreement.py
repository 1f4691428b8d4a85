"""Blocks in the same place of a page's structure are decided together.

The posts of a thread, the entries of a list, the paragraphs of a text are all content or all not,
unless the evidence inside them differs; the trees see each of them alone. So the log odds of such
blocks are drawn to their mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from extraction.methods.boosted_blocks.log_odds import log_odds, probabilities_of
from extraction.methods.boosted_blocks.weights import root_weights_of

if TYPE_CHECKING:
    from extraction.methods.boosted_blocks.arrays import Floats, Singles
    from extraction.page_marks import Hashes

# Fewer blocks do not repeat a structure.
_SEVERAL: Final = 3


def agreed(probabilities: Floats, places: Hashes, words: Singles, share: float) -> Floats:
    """The probabilities of the blocks, of which those in one place agree more.

    places: a number for every block. words: per block.
    share: how far a block is drawn to the mean of its place; 0 for not at all, 1 for all the way.

    >>> places, words = np.uint32([7, 7, 7, 8]), np.float32([9, 9, 9, 9])
    >>> agreed(np.array([0.9, 0.9, 0.4, 0.4]), places, words, 0.5).round(2).tolist()
    [0.85, 0.85, 0.61, 0.4]
    """
    if not share:
        return probabilities
    _, place_of, counts = np.unique(places, return_inverse=True, return_counts=True)
    weights = root_weights_of(words)
    odds = log_odds(probabilities)
    means = np.bincount(place_of, weights * odds) / np.bincount(place_of, weights)
    together = probabilities_of((1 - share) * odds + share * means[place_of])
    return np.where(counts[place_of] >= _SEVERAL, together, probabilities)

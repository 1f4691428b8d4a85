"""Labels the blocks of a page from its gold text (section 4.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from extraction.training.alignment import gold_shares

if TYPE_CHECKING:
    from collections.abc import Sequence

Labels = npt.NDArray[np.int32]

# A block is main content if more than this share of it is in the gold text, as in the authors' code
# (there a share of its characters, here of its words).
_THRESHOLD = 2 / 3


def gold_labels(texts: Sequence[str], gold_text: str) -> Labels:
    """1 for main content and 0 for boilerplate, for every block in reading order.

    A block without words, such as a bullet, is content if both its neighbours are.

    >>> gold_labels(["Home", "·", "A day", "–", "in May."], "A day in May.").tolist()
    [0, 0, 1, 1, 1]
    """
    shares = gold_shares(texts, gold_text)
    known = np.flatnonzero(~np.isnan(shares))
    labels = np.zeros(len(texts), dtype=np.int32)
    if not len(known):
        return labels
    of_known = shares[known] > _THRESHOLD
    positions = np.arange(len(texts))
    after = np.minimum(np.searchsorted(known, positions), len(known) - 1)
    before = np.maximum(np.searchsorted(known, positions, side="right") - 1, 0)
    labels[:] = of_known[before] & of_known[after]
    return labels

"""Accuracy, precision, recall and F1 of block labels.

Source: Vogels et al., *Web2Text: Deep Structured Boilerplate Removal* (ECIR 2018), Table 1: a block
is main content or boilerplate, main content is the positive class, and the blocks of all test
pages are pooled (micro average).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evaluation.metrics.score import Confusion

Labels = npt.NDArray[np.bool_]


def blocks(predicted: Labels, gold: Labels) -> Confusion:
    """Counts of one page's blocks; the sum over pages has ``accuracy`` and ``score``.

    predicted, gold: shape (blocks,), True for main content.
    Raises ValueError if the two do not describe the same blocks.

    >>> page = blocks(np.array([True, True, False, False]), np.array([True, False, False, True]))
    >>> other = blocks(np.array([True, False]), np.array([True, False]))
    >>> pooled = sum([page, other], Confusion())
    >>> pooled.tp, pooled.fp, pooled.fn, pooled.tn
    (2, 1, 1, 2)
    >>> round(pooled.score.f1, 3), round(pooled.accuracy, 3)
    (0.667, 0.667)
    """
    if predicted.shape != gold.shape:
        raise ValueError(f"predicted labels of shape {predicted.shape}, gold of {gold.shape}")
    return Confusion(
        tp=int(np.count_nonzero(predicted & gold)),
        fp=int(np.count_nonzero(predicted & ~gold)),
        fn=int(np.count_nonzero(~predicted & gold)),
        tn=int(np.count_nonzero(~predicted & ~gold)),
    )

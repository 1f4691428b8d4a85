"""The best labelling of a page's blocks, by the two networks' potentials (section 3.3).

The score of a labelling y of n blocks is the sum of log p(y_i) over the blocks and of
λ log p(y_i, y_i+1) over the pairs of neighbours. With only two labels, plain loops over floats are
faster than array operations on pairs.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.floating]
Labels = npt.NDArray[np.int32]


def log_softmax(logits: Array) -> Array:
    """Log softmax over the last axis."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    normalised: Array = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return normalised


def viterbi(unary: Array, pairwise: Array, weight: float) -> Labels:
    """The labelling with the highest score.

    unary: (n, 2) logits of the labels 0 and 1.
    pairwise: (n - 1, 4) logits of the label pairs 00, 01, 10, 11.
    weight: λ, the weight of the pairs.
    """
    if not len(unary):
        return np.zeros(0, dtype=np.int32)
    blocks, pairs = _scores(unary, pairwise, weight)
    zero, one = blocks[0]
    from_one: list[tuple[bool, bool]] = []
    for (own_zero, own_one), (p00, p01, p10, p11) in zip(blocks[1:], pairs, strict=True):
        to_zero = (zero + p00, one + p10)
        to_one = (zero + p01, one + p11)
        from_one.append((to_zero[1] > to_zero[0], to_one[1] > to_one[0]))
        zero, one = own_zero + max(to_zero), own_one + max(to_one)
    label = int(one > zero)
    labels = [label]
    for choices in reversed(from_one):
        label = int(choices[label])
        labels.append(label)
    return np.array(labels[::-1], dtype=np.int32)


def marginals(unary: Array, pairwise: Array, weight: float) -> npt.NDArray[np.float64]:
    """The marginal probability of label 1 for every block; arguments as in viterbi.

    The probability of a labelling is proportional to the exponential of its score.
    """
    if not len(unary):
        return np.zeros(0)
    blocks, pairs = _scores(unary, pairwise, weight)
    forward = _messages(blocks, pairs)
    turned = [[p00, p10, p01, p11] for p00, p01, p10, p11 in reversed(pairs)]
    backward = _messages(blocks[::-1], turned)
    # Both directions include the block itself, so it is subtracted once.
    own = np.array([one - zero for zero, one in blocks])
    log_odds = np.array(forward) + np.array(backward[::-1]) - own
    probabilities: npt.NDArray[np.float64] = 1.0 / (1.0 + np.exp(-np.clip(log_odds, -500, 500)))
    return probabilities


def _scores(
    unary: Array, pairwise: Array, weight: float
) -> tuple[list[list[float]], list[list[float]]]:
    blocks: list[list[float]] = log_softmax(unary.astype(np.float64)).tolist()
    pairs: list[list[float]] = (weight * log_softmax(pairwise.astype(np.float64))).tolist()
    return blocks, pairs


def _messages(blocks: list[list[float]], pairs: list[list[float]]) -> list[float]:
    """For every block, the log odds of label 1 given itself and all blocks before it."""
    log_odds = blocks[0][1] - blocks[0][0]
    messages = [log_odds]
    for (own_zero, own_one), (p00, p01, p10, p11) in zip(blocks[1:], pairs, strict=True):
        log_odds = (
            own_one - own_zero + _log_sum(p01, log_odds + p11) - _log_sum(p00, log_odds + p10)
        )
        messages.append(log_odds)
    return messages


def _log_sum(a: float, b: float) -> float:
    """log(exp(a) + exp(b)).

    >>> round(_log_sum(0.0, 0.0), 4)
    0.6931
    """
    high, low = (a, b) if a > b else (b, a)
    return high + math.log1p(math.exp(low - high))

"""Precision, recall and F1 of one page, and counts that are summed over pages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Labels = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Score:
    """precision, recall, f1: each in [0, 1]."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, precision: float, recall: float) -> Score:
        """The score with F1 as the harmonic mean.

        >>> Score.of(0.5, 1.0).f1
        0.6666666666666666
        >>> Score.of(0.0, 0.0).f1
        0.0
        """
        total = precision + recall
        return cls(precision, recall, 2 * precision * recall / total if total else 0.0)

    @classmethod
    def of_overlap(cls, common: float, predicted: float, gold: float) -> Score:
        """The score of ``common`` units among ``predicted`` and ``gold`` ones.

        The score is 1 if both are empty, and 0 if only one of them is.

        >>> Score.of_overlap(3, predicted=4, gold=6)
        Score(precision=0.75, recall=0.5, f1=0.6)
        >>> Score.of_overlap(0, predicted=0, gold=0).f1, Score.of_overlap(0, 0, 5).f1
        (1.0, 0.0)
        """
        if not predicted and not gold:
            return PERFECT
        if not predicted or not gold:
            return ZERO
        return cls.of(common / predicted, common / gold)


PERFECT = Score(1.0, 1.0, 1.0)
ZERO = Score(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of binary decisions; adding them pools pages (micro average).

    Source: Vogels et al., *Web2Text: Deep Structured Boilerplate Removal* (ECIR 2018), Table 1: a
    block is main content or boilerplate, main content is the positive class, and the blocks of all
    test pages are pooled.

    >>> pooled = Confusion(tp=2, fp=1, fn=0, tn=3) + Confusion(tp=1, fp=0, fn=1, tn=0)
    >>> pooled.accuracy, pooled.score
    (0.75, Score(precision=0.75, recall=0.75, f1=0.75))
    """

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0

    @classmethod
    def of(cls, predicted: Labels, gold: Labels) -> Confusion:
        """The counts of one page's blocks, True for main content.

        Raises ValueError if the two do not describe the same blocks.

        >>> Confusion.of(np.array([True, True, False]), np.array([True, False, False]))
        Confusion(tp=1, fp=1, fn=0, tn=1)
        """
        if predicted.shape != gold.shape:
            raise ValueError(f"predicted labels of shape {predicted.shape}, gold of {gold.shape}")
        pairs = (predicted & gold, predicted & ~gold, ~predicted & gold, ~predicted & ~gold)
        return cls(*(int(np.count_nonzero(pair)) for pair in pairs))

    def __add__(self, other: Confusion) -> Confusion:
        return Confusion(
            self.tp + other.tp, self.fp + other.fp, self.fn + other.fn, self.tn + other.tn
        )

    @property
    def accuracy(self) -> float:
        """The share of right decisions; 1 without decisions."""
        total = self.tp + self.fp + self.fn + self.tn
        return (self.tp + self.tn) / total if total else 1.0

    @property
    def score(self) -> Score:
        return Score.of_overlap(self.tp, self.tp + self.fp, self.tp + self.fn)

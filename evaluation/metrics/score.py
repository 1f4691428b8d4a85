"""Precision, recall and F1 of one page, and counts that are summed over pages."""

from __future__ import annotations

from dataclasses import dataclass


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
    """Counts (or weights) of binary decisions; adding them pools pages (micro average).

    >>> pooled = Confusion(tp=2, fp=1, fn=0, tn=3) + Confusion(tp=1, fp=0, fn=1, tn=0)
    >>> pooled.accuracy, pooled.score
    (0.75, Score(precision=0.75, recall=0.75, f1=0.75))
    """

    tp: float = 0
    fp: float = 0
    fn: float = 0
    tn: float = 0

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

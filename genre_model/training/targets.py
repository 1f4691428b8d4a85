"""Training targets for each page, and their weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from genre_model.labels import HEADS, indices_of
from genre_model.samples import Sample

Floats = NDArray[np.float32]

# Weights grow with this power of a class's rarity: ten times rarer, about three times the weight.
_BALANCE = 0.5


@dataclass(frozen=True)
class Targets:
    """answers: by head, one row of probabilities per page.

    weights: by head and map, one number per page.
    maps: (pages, rows, columns, channels) of 0..255, mirrored together with the page.
    """

    answers: Mapping[str, Floats]
    weights: Mapping[str, Floats]
    maps: Mapping[str, NDArray[np.uint8]] = field(default_factory=dict)

    def of(
        self, pages: NDArray[np.int64], mirrored: NDArray[np.bool_]
    ) -> tuple[dict[str, Floats], dict[str, Floats]]:
        """The targets and weights of some pages, in the form that Keras expects."""
        answers = {head: rows[pages] for head, rows in self.answers.items()}
        weights = {head: rows[pages] for head, rows in self.weights.items()}
        for head, maps in self.maps.items():
            chosen: Floats = maps[pages].astype(np.float32) / np.float32(255)
            chosen[mirrored] = chosen[mirrored, :, ::-1]
            answers[head] = chosen
        return answers, weights

    def followed_by(self, others: Targets, weight: float) -> Targets:
        """These pages, then others with their weights multiplied by ``weight``; without maps."""
        answers, weights = (
            {head: np.concatenate((rows, share * theirs[head])) for head, rows in ours.items()}
            for ours, theirs, share in (
                (self.answers, others.answers, np.float32(1)),
                (self.weights, others.weights, np.float32(weight)),
            )
        )
        return Targets(answers, weights)


def label_targets(samples: Sequence[Sample]) -> Targets:
    """One-hot targets; pages of rare classes weigh more, unlabelled pages 0."""
    answers = {
        head: _one_hot(known, [getattr(sample, head) for sample in samples])
        for head, known in HEADS.items()
    }
    return Targets(answers, {head: _balanced(rows) for head, rows in answers.items()})


def _one_hot(known: Sequence[str], labels: Sequence[str | None]) -> Floats:
    # The last row, of zeros, is that of the index -1, of no label.
    rows: Floats = np.eye(len(known) + 1, len(known), dtype=np.float32)
    return rows[indices_of(labels, known)]


def _balanced(rows: Floats) -> Floats:
    """Class-balancing weights with a mean of 1 over the labelled pages."""
    counts = rows.sum(axis=0)
    by_class = np.where(counts > 0, np.maximum(counts, 1) ** -_BALANCE, 0).astype(np.float32)
    weights = rows @ by_class
    mean = weights.sum() / max(1.0, float(counts.sum()))
    return (weights / mean if mean else weights).astype(np.float32)

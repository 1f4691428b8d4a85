"""Predictions matched with labels: for each head the pages that can be scored, as arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from genre_model.calibration import FloatArray, IntArray
from genre_model.labels import indices_of
from genre_model.samples import Sample
from genre_model.scoring.prediction_file import Predicted
from genre_model.scoring.scores import Scores, score

Mask = npt.NDArray[np.bool_]

# If a column has more values, the less frequent ones are scored together.
_MANY_PARTS = 10
_SMALLEST_PART = 20
OTHERS: Final = "(smaller ones)"
UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """One head: the labelled pages that have a prediction.

    probabilities: (pages, labels). truth: (pages,), indices into ``labels``.
    missing: the number of labelled pages without a prediction; they are not scored.
    group_by: the column with a page's site.
    """

    head: str
    labels: tuple[str, ...]
    samples: tuple[Sample, ...]
    probabilities: FloatArray
    truth: IntArray
    missing: int
    group_by: str = "repo"

    def scores(self, where: Mask | None = None, *, threshold: float) -> Scores:
        """The scores of all pages, or of those in the mask ``where``, with intervals by site."""
        chosen = np.arange(len(self.samples)) if where is None else np.flatnonzero(where)
        return score(
            self.probabilities[chosen],
            self.truth[chosen],
            self.labels,
            [self.samples[i].site(self.group_by) for i in chosen],
            threshold=threshold,
        )

    def parts(self, part_of: Callable[[Sample], str]) -> Iterator[tuple[str, Mask]]:
        """The pages of every part, largest first; if there are many, small ones are merged."""
        parts = np.array([part_of(sample) for sample in self.samples])
        counts = Counter(parts.tolist())
        small = [part for part, count in counts.items() if count < _SMALLEST_PART]
        if len(counts) > _MANY_PARTS and len(small) > 1:
            parts = np.where(np.isin(parts, small), OTHERS, parts)
            counts = Counter(parts.tolist())
        for part, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            yield part, parts == part


def judge(
    head: str,
    samples: Sequence[Sample],
    predictions: Mapping[str, Predicted],
    group_by: str = "repo",
) -> Judgement | None:
    """The head's predictions for the pages that have a label for it; None if there are none.

    group_by: the column with a page's site.
    Raises ValueError if a label is not among the scores, or if predictions differ in their labels.
    """
    labelled = [sample for sample in samples if getattr(sample, head) is not None]
    seen = [sample for sample in labelled if sample.id in predictions]
    if not seen:
        return None
    labels = tuple(_scores(head, predictions[seen[0].id]))
    for sample in seen:
        if getattr(sample, head) not in labels:
            raise ValueError(f"{sample.id} is {getattr(sample, head)!r}, not one of {labels}")
    return Judgement(
        head,
        labels,
        tuple(seen),
        score_table(head, seen, predictions, labels),
        indices_of([getattr(sample, head) for sample in seen], labels),
        len(labelled) - len(seen),
        group_by,
    )


def score_table(
    head: str,
    samples: Sequence[Sample],
    predictions: Mapping[str, Predicted],
    labels: Sequence[str],
) -> FloatArray:
    """The scores of these pages, (pages, labels); raises ValueError for other labels."""
    tables = [_scores(head, predictions[sample.id]) for sample in samples]
    for sample, table in zip(samples, tables, strict=True):
        if set(table) != set(labels):
            raise ValueError(f"{sample.id} has scores for {sorted(table)}, others for {labels}")
    return np.array([[table[label] for label in labels] for table in tables])


def _scores(head: str, predicted: Predicted) -> Mapping[str, float]:
    scores: Mapping[str, float] = getattr(predicted.prediction, f"{head}_scores")
    return scores


def column(name: str) -> Callable[[Sample], str]:
    """A function that gives a page's value in a column of labels.jsonl."""
    return lambda sample: sample.said(name) or UNKNOWN


def theme_seen_in(samples: Sequence[Sample]) -> Callable[[Sample], str]:
    """A function that says whether a page's ``theme_group`` is among these training samples."""
    seen = {_theme(sample) for sample in samples}
    return lambda sample: "seen" if _theme(sample) in seen else "unseen"


def theme_seen_in_folds(
    samples: Sequence[Sample], predictions: Mapping[str, Predicted]
) -> Callable[[Sample], str]:
    """The same for a cross-validation: whether the theme is in other folds."""
    folds: dict[str, set[str | None]] = {}
    for sample in samples:
        if sample.id in predictions:
            folds.setdefault(_theme(sample), set()).add(predictions[sample.id].fold)

    def part_of(sample: Sample) -> str:
        others = folds[_theme(sample)] - {predictions[sample.id].fold}
        return "seen" if others else "unseen"

    return part_of


def _theme(sample: Sample) -> str:
    return sample.site("theme_group")

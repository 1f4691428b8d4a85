"""Predictions held against labels: for each head the pages that can be scored, as arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import orjson

from genre_model.calibration import FloatArray, IntArray
from genre_model.prediction import Prediction
from genre_model.samples import Sample
from genre_model.scores import Scores, score

Mask = npt.NDArray[np.bool_]

HEADS: Final = ("genre", "page_type")

# Where a column has many values, those of fewer pages are scored together.
_MANY_PARTS = 10
_SMALLEST_PART = 20
OTHERS: Final = "(smaller ones)"
UNKNOWN: Final = "unknown"


class Predicted(NamedTuple):
    """A prediction as read from a file. fold: of a cross-validation, where the line has one."""

    prediction: Prediction
    fold: str | None = None


def read_predictions(path: Path) -> dict[str, Predicted]:
    """The predictions by id of a file that ``predict`` wrote; lines with an error are left out.

    Raises ValueError, naming file and line, for another line or an id that comes twice.
    """
    found: dict[str, Predicted] = {}
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                fields = orjson.loads(line)
                if not isinstance(fields, dict) or not isinstance(fields.get("id"), str):
                    raise ValueError("not a prediction: it has no id")
                if "error" in fields:
                    continue
                if fields["id"] in found:
                    raise ValueError(f"a second prediction of {fields['id']}")
                fold = fields.get("fold")
                found[fields["id"]] = Predicted(
                    Prediction.from_fields(fields), None if fold is None else str(fold)
                )
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from error
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """One head: the labelled pages that have a prediction.

    probabilities: (pages, labels). truth: (pages,), indices into ``labels``.
    missing: how many labelled pages have no prediction; they are in no score.
    group_by: the column that names a page's site.
    """

    head: str
    labels: tuple[str, ...]
    samples: tuple[Sample, ...]
    probabilities: FloatArray
    truth: IntArray
    missing: int
    group_by: str = "repo"

    def scores(self, where: Mask | None = None, *, threshold: float) -> Scores:
        """The scores of all pages, or of those where ``where`` is true, resampled by site."""
        chosen = np.arange(len(self.samples)) if where is None else np.flatnonzero(where)
        return score(
            self.probabilities[chosen],
            self.truth[chosen],
            self.labels,
            [self.samples[i].site(self.group_by) for i in chosen],
            threshold=threshold,
        )

    def parts(self, part_of: Callable[[Sample], str]) -> Iterator[tuple[str, Mask]]:
        """The pages of every part, largest first; of many parts the small ones are put together."""
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
    """The head's predictions of the pages that have a label for it; None where there are none.

    group_by: the column that names a page's site.
    Raises ValueError where a label is not among the scores, or predictions differ in their labels.
    """
    labelled = [sample for sample in samples if getattr(sample, head) is not None]
    seen = [sample for sample in labelled if sample.id in predictions]
    if not seen:
        return None
    scores = [getattr(predictions[sample.id].prediction, f"{head}_scores") for sample in seen]
    labels = tuple(scores[0])
    for sample, table in zip(seen, scores, strict=True):
        if set(table) != set(labels):
            raise ValueError(f"{sample.id} is scored for {sorted(table)}, others for {labels}")
        if getattr(sample, head) not in labels:
            raise ValueError(f"{sample.id} is {getattr(sample, head)!r}, not among {labels}")
    return Judgement(
        head,
        labels,
        tuple(seen),
        np.array([[table[label] for label in labels] for table in scores]),
        np.array([labels.index(getattr(sample, head)) for sample in seen], dtype=np.int64),
        len(labelled) - len(seen),
        group_by,
    )


def column(name: str) -> Callable[[Sample], str]:
    """What a column of labels.jsonl says of a page."""
    return lambda sample: sample.said(name) or UNKNOWN


def theme_seen_in(samples: Sequence[Sample]) -> Callable[[Sample], str]:
    """Whether pages of the same ``theme_group`` are among the samples that were trained on."""
    seen = {_theme(sample) for sample in samples}
    return lambda sample: "seen" if _theme(sample) in seen else "unseen"


def theme_seen_in_folds(
    samples: Sequence[Sample], predictions: Mapping[str, Predicted]
) -> Callable[[Sample], str]:
    """The same for a cross-validation: whether other folds have pages of the theme."""
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

"""Distillation: a network is trained on another classifier's probabilities besides the labels.

Source: Hinton, Vinyals and Dean, Distilling the Knowledge in a Neural Network, 2015. The teacher is
the HTML classifier. Its soft labels express uncertainty, correct wrong rule-based labels, and cover
pages without a label.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import orjson
from numpy.typing import NDArray

from genre_model.folds import NO_FOLD
from genre_model.labels import HEADS
from genre_model.samples import Sample
from genre_model.training.targets import Targets

Floats = NDArray[np.float32]

# The share of the label in the target of a labelled page; the rest is the teacher's soft label.
_LABEL_SHARE = 0.5
# The weight of a page without a label.
_UNLABELLED_WEIGHT = 0.5


@dataclass(frozen=True)
class Teacher:
    """Probabilities by page and by the folds that the teacher was trained without, sorted."""

    answers: Mapping[tuple[str, tuple[int, ...]], Mapping[str, Mapping[str, float]]]

    def teach(
        self,
        targets: Targets,
        samples: Sequence[Sample],
        folds: NDArray[np.int64],
        held: int | None,
    ) -> Targets:
        """Targets for a network that will be tested on the fold ``held``, or on none.

        A page without a soft label keeps its label.
        """
        answers = {head: rows.copy() for head, rows in targets.answers.items()}
        weights = {head: rows.copy() for head, rows in targets.weights.items()}
        for page, (sample, fold) in enumerate(zip(samples, folds.tolist(), strict=True)):
            unseen = tuple(sorted({fold, fold if held is None else held} - {NO_FOLD}))
            for head, scores in self.answers.get((sample.id, unseen), {}).items():
                opinion = np.array([scores[label] for label in HEADS[head]], np.float32)
                if answers[head][page].any():
                    opinion = _LABEL_SHARE * answers[head][page] + (1 - _LABEL_SHARE) * opinion
                else:
                    weights[head][page] = _UNLABELLED_WEIGHT
                answers[head][page] = opinion
        return Targets(answers, weights, targets.maps)


def read_teacher(path: Path, samples: Sequence[Sample], folds: NDArray[np.int64]) -> Teacher:
    """Read a file from ``train-html --teach``.

    samples, folds: of the network to be trained. With other folds, the teacher would have been
        trained on labels of the network's test pages.
    Raises ValueError, naming the line, for a wrong line, and if a page has soft labels for only
    some of the folds: the networks of the other folds would be trained on less than the final one.
    """
    fold_of = {sample.id: fold for sample, fold in zip(samples, folds.tolist(), strict=True)}
    answers = {}
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                record = orjson.loads(line)
                page, unseen = str(record["id"]), tuple(sorted(map(int, record["unseen"])))
                answers[page, unseen] = {
                    head: {label: float(record[f"{head}_scores"][label]) for label in labels}
                    for head, labels in HEADS.items()
                }
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{path}:{number}: not soft labels: {error!r}") from error
            if len(unseen) == 1 and fold_of.get(page, unseen[0]) != unseen[0]:
                raise ValueError(
                    f"{path}:{number}: page {page} was in fold {unseen[0]} when the teacher was "
                    f"trained, and is in fold {fold_of[page]} here: data, --cross-validate and "
                    "--group-by must be those of `train-html --teach`"
                )
    _check_whole(path, answers.keys(), fold_of)
    return Teacher(answers)


def _check_whole(
    path: Path, answered: Collection[tuple[str, tuple[int, ...]]], fold_of: Mapping[str, int]
) -> None:
    needed = (
        (page, tuple(sorted({fold_of[page], other})))
        for page in {page for page, _ in answered if page in fold_of}
        for other in set(fold_of.values())
    )
    missing = sorted(answer for answer in needed if answer not in answered)
    if missing:
        page, unseen = missing[0]
        raise ValueError(
            f"{path}: {len(missing)} lines are missing, such as that of page {page} without folds "
            f"{list(unseen)}: `train-html --teach` did not finish, or had other folds"
        )

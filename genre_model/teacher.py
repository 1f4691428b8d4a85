"""Distillation: a network learns from another classifier's probabilities beside the labels.

Source: Hinton, Vinyals and Dean, Distilling the Knowledge in a Neural Network, 2015. The teacher
here reads HTML. It knows how sure one can be of a page, smooths labels that rules gave wrongly,
and answers pages that have no label.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import orjson
from numpy.typing import NDArray

from genre_model.samples import Sample
from genre_model.targets import LABELS, Targets

Floats = NDArray[np.float32]

# Of a page with a label: how much that counts, the teacher's opinion being the rest.
_LABEL_SHARE = 0.5
# How much a page without a label counts.
_UNLABELLED_WEIGHT = 0.5


@dataclass(frozen=True)
class Teacher:
    """Probabilities by page and by the folds that the teacher had not seen, sorted."""

    answers: Mapping[tuple[str, tuple[int, ...]], Mapping[str, Mapping[str, float]]]

    def teach(
        self,
        targets: Targets,
        samples: Sequence[Sample],
        folds: NDArray[np.int64],
        held: int | None,
    ) -> Targets:
        """Targets for a network that is to be judged on the fold ``held``, or on none.

        A page that the teacher has not answered keeps its label.
        """
        answers = {head: rows.copy() for head, rows in targets.answers.items()}
        weights = {head: rows.copy() for head, rows in targets.weights.items()}
        for page, (sample, fold) in enumerate(zip(samples, folds.tolist(), strict=True)):
            unseen = tuple(sorted({fold, fold if held is None else held}))
            for head, scores in self.answers.get((sample.id, unseen), {}).items():
                opinion = np.array([scores[label] for label in LABELS[head]], np.float32)
                if answers[head][page].any():
                    opinion = _LABEL_SHARE * answers[head][page] + (1 - _LABEL_SHARE) * opinion
                else:
                    weights[head][page] = _UNLABELLED_WEIGHT
                answers[head][page] = opinion
        return Targets(answers, weights, targets.maps)


def read_teacher(path: Path, samples: Sequence[Sample], folds: NDArray[np.int64]) -> Teacher:
    """A file of ``train-html --teach``.

    samples, folds: of the network that is to learn from it. In other folds than these the teacher
    had seen labels of the pages that the network is judged on.
    Raises ValueError that names the line that is wrong, and where a page has an answer for some of
    the folds alone: the networks of the others would be taught less than the one that is served.
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
                    for head, labels in LABELS.items()
                }
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{path}:{number}: not a teacher's answer: {error!r}") from error
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
            f"{path}: answers are missing ({len(missing)}), such as of page {page} with folds "
            f"{list(unseen)} unseen: `train-html --teach` did not end, or had other folds"
        )

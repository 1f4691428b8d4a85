"""Combines the probabilities of several classifiers (eyes) into one prediction.

The log-linear pool raises each eye's probabilities to the power of a weight, multiplies them, and
adds a bias per class: softmax(w1 log p1 + w2 log p2 + ... + b). With weights of 1 and no bias this
is the product of experts; the mean is the linear pool. Both are here for comparison.
Source: Genest and Zidek, Combining Probability Distributions, Statistical Science 1986.

Two pools are shipped. One combines the network with the trees over layout measures into the
prediction by screenshot; the other combines that with the prediction by HTML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from genre_model.calibration import FloatArray, IntArray, log_loss, softmax
from genre_model.labels import TYPES_OF_GENRE
from genre_model.prediction import THRESHOLD, Prediction

SCREENSHOT, HTML = "screenshot", "html"
NETWORK, LAYOUT = "network", "layout"

_FOLDER = Path(__file__).with_name("shipped")
SHIPPED: Final = _FOLDER / "fusion.json"  # of SCREENSHOT and HTML
SHIPPED_SCREENSHOT: Final = _FOLDER / "screenshot-fusion.json"  # of NETWORK and LAYOUT

# Probabilities are clipped to at least this, so that no eye can overrule all others.
_FLOOR = 1e-4
# Keeps the fit finite if an eye makes no mistakes; otherwise too weak to matter.
_RIDGE = 1e-3


@dataclass(frozen=True, slots=True)
class HeadFusion:
    """The log-linear pool of one head.

    labels: the classes, in the order of ``bias``.
    weights: by the name of the eye, not negative.
    bias: one number per class, in log probabilities.
    """

    labels: tuple[str, ...]
    weights: Mapping[str, float]
    bias: tuple[float, ...]

    def pool(self, probabilities: Mapping[str, npt.ArrayLike]) -> FloatArray:
        """The pooled probabilities, (..., classes), from such arrays by the name of the eye.

        Raises ValueError for other eyes than those of the pool.
        """
        if probabilities.keys() != self.weights.keys():
            raise ValueError(f"predictions by {[*probabilities]}, weights for {[*self.weights]}")
        logits = sum(weight * _log(probabilities[eye]) for eye, weight in self.weights.items())
        return softmax(logits + np.asarray(self.bias))

    def fuse(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
        """The pooled scores, from scores by eye; raises ValueError for other labels or eyes."""
        for eye, table in scores.items():
            if set(table) != set(self.labels):
                raise ValueError(f"{eye} has scores for {sorted(table)}, not for {self.labels}")
        pooled = self.pool(
            {eye: [table[label] for label in self.labels] for eye, table in scores.items()}
        )
        return dict(zip(self.labels, pooled.tolist(), strict=True))

    @classmethod
    def product_of(cls, eyes: Sequence[str], labels: Sequence[str]) -> HeadFusion:
        """The product of experts, for eyes without fitted weights."""
        return cls(tuple(labels), dict.fromkeys(eyes, 1.0), (0.0,) * len(labels))

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> HeadFusion:
        """The pool with these fields from JSON; wrong fields raise an error of any kind."""
        head = cls(
            tuple(fields["labels"]),
            {str(eye): float(weight) for eye, weight in fields["weights"].items()},
            tuple(map(float, fields["bias"])),
        )
        if len(head.labels) != len(head.bias):
            raise ValueError(f"{len(head.bias)} biases for {len(head.labels)} labels")
        return head


@dataclass(frozen=True, slots=True)
class Fusion:
    """The pools of both heads."""

    genre: HeadFusion
    page_type: HeadFusion

    @property
    def eyes(self) -> tuple[str, ...]:
        """The names of the eyes that it combines."""
        return tuple(self.page_type.weights)

    def check_labels(self, genres: Sequence[str], page_types: Sequence[str]) -> None:
        """Raises ValueError if a classifier's labels differ from those of the pools."""
        for head, labels in ((self.genre, genres), (self.page_type, page_types)):
            if set(head.labels) != set(labels):
                raise ValueError(f"the fusion has labels {head.labels}, not {tuple(labels)}")

    @classmethod
    def load(cls, path: Path | str) -> Fusion:
        """Read a file that ``save`` wrote; raises ValueError for any other file."""
        try:
            fields = orjson.loads(Path(path).read_bytes())
            fusion = cls(
                HeadFusion.from_fields(fields["genre"]), HeadFusion.from_fields(fields["page_type"])
            )
            eyes, opinions = {*fusion.eyes}, {*fusion.genre.weights}
            if not eyes or not eyes <= opinions <= eyes | {*map(by_types, eyes)}:
                raise ValueError("both heads need weights of the same eyes")
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path} is not a file of fusion weights: {error!r}") from error
        return fusion

    def save(self, path: Path) -> None:
        """Write the weights as JSON."""
        path.write_bytes(
            orjson.dumps(asdict(self), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        )

    def fuse(
        self, predictions: Mapping[str, Prediction | None], threshold: float = THRESHOLD
    ) -> Prediction:
        """Combine the predictions of a page by eye; if there is only one, return that.

        Raises ValueError if there is none, or if eyes or labels are not those of the fusion.
        """
        seen = {eye: its for eye, its in predictions.items() if its is not None}
        if not seen:
            raise ValueError(f"there is no prediction by any of {', '.join(predictions)}")
        if len(seen) == 1:
            return next(iter(seen.values())).with_threshold(threshold)
        return Prediction.of(
            self.genre.fuse(self._genre_opinions(seen)),
            self.page_type.fuse({eye: its.page_type_scores for eye, its in seen.items()}),
            threshold,
        )

    def _genre_opinions(self, seen: Mapping[str, Prediction]) -> dict[str, Mapping[str, float]]:
        """Genre scores by eye, and those by page types if the pool has weights for them."""
        opinions: dict[str, Mapping[str, float]] = {}
        for eye, its in seen.items():
            opinions[eye] = its.genre_scores
            if by_types(eye) in self.genre.weights:
                opinions[by_types(eye)] = genre_by_types(its.page_type_scores)
        return opinions


def by_types(eye: str) -> str:
    """The name under which an eye's genre scores derived from its page types are pooled."""
    return f"{eye} by types"


def genre_by_types(page_type_scores: Mapping[str, float]) -> dict[str, float]:
    """Genre scores derived from page types, which were also learned from pages without a genre.

    >>> genre_by_types({"article": 0.375, "listing": 0.125, "product": 0.5})
    {'article': 0.75, 'list-view': 0.25}
    """
    said = {
        genre: sum(page_type_scores.get(page_type, 0.0) for page_type in types)
        for genre, types in TYPES_OF_GENRE.items()
    }
    total = sum(said.values())
    return {genre: score / total if total else 1 / len(said) for genre, score in said.items()}


def fit_fusion(
    probabilities: Mapping[str, npt.ArrayLike], labels: npt.ArrayLike, names: Sequence[str]
) -> HeadFusion:
    """The pool of one head with the least log loss.

    probabilities: by eye, (samples, classes), for the same samples. They must be out of fold: a
        classifier is overconfident on its training data, which would give wrong weights.
    labels: (samples,), indices into ``names``, the classes.
    Raises ValueError for arrays whose shapes do not match.
    """
    from scipy.optimize import minimize  # noqa: PLC0415 - for fitting only

    truth = np.asarray(labels, dtype=np.int64)
    logs = {eye: _log(its) for eye, its in probabilities.items()}
    shape = (len(truth), len(names))
    if not logs or not len(truth) or any(its.shape != shape for its in logs.values()):
        shapes = {eye: its.shape for eye, its in logs.items()}
        raise ValueError(f"scores of shapes {shapes}; every eye's must have the shape {shape}")
    stacked = np.stack(list(logs.values()))
    start = np.concatenate([np.ones(len(logs)), np.zeros(len(names))])
    found = minimize(
        lambda weights: _objective(weights, start, stacked, truth),
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, None)] * len(logs) + [(None, None)] * len(names),
    )
    numbers = found.x.tolist()
    weights = dict(zip(logs, numbers[: len(logs)], strict=True))
    return HeadFusion(tuple(names), weights, tuple(numbers[len(logs) :]))


def cross_fused(
    probabilities: Mapping[str, FloatArray],
    labels: IntArray,
    names: Sequence[str],
    folds: npt.ArrayLike,
    asked: Mapping[str, FloatArray] | None = None,
) -> FloatArray:
    """Pooled probabilities of every sample, with weights fitted on the other folds.

    labels: negative if unknown; such a sample gets probabilities but is not used for fitting.
    asked: the probabilities to pool; by default those that the weights are fitted on.
    """
    where = np.asarray(folds)
    fused = np.empty((len(labels), len(names)))
    for fold in np.unique(where):
        out, rest = where == fold, (where != fold) & (labels >= 0)
        head = fit_fusion(
            {eye: its[rest] for eye, its in probabilities.items()}, labels[rest], names
        )
        fused[out] = head.pool({eye: its[out] for eye, its in (asked or probabilities).items()})
    return fused


def product(probabilities: Mapping[str, npt.ArrayLike]) -> FloatArray:
    """The product of experts: the product of the probabilities, normalised to sum to 1."""
    return softmax(np.sum([_log(its) for its in probabilities.values()], axis=0))


def mean(probabilities: Mapping[str, npt.ArrayLike]) -> FloatArray:
    """The linear pool with equal weights."""
    pooled: FloatArray = np.mean(
        [np.asarray(its, np.float64) for its in probabilities.values()], axis=0
    )
    return pooled


def _log(probabilities: npt.ArrayLike) -> FloatArray:
    logs: FloatArray = np.log(np.maximum(np.asarray(probabilities, np.float64), _FLOOR))
    return logs


def _objective(
    weights: FloatArray, start: FloatArray, logs: FloatArray, truth: IntArray
) -> tuple[float, FloatArray]:
    """The log loss with a ridge penalty towards the product of experts, and its gradient.

    logs: (eyes, samples, classes).
    """
    eyes = len(logs)
    pooled = softmax(np.tensordot(weights[:eyes], logs, axes=1) + weights[eyes:])
    away = weights - start
    errors = pooled.copy()
    errors[np.arange(len(truth)), truth] -= 1
    errors /= len(truth)
    by_eye = np.tensordot(logs, errors, axes=2)
    gradient = np.concatenate([by_eye, errors.sum(0)])
    return log_loss(pooled, truth) + _RIDGE * float(away @ away), gradient + 2 * _RIDGE * away

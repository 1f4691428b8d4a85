"""Combines the probabilities of several classifiers into one prediction.

The log-linear pool raises each classifier's probabilities to the power of a weight, multiplies
them, and adds a bias per class: softmax(w1 log p1 + w2 log p2 + ... + b). With weights of 1 and no
bias this is the product of experts. ``genre_model.training.fusion`` fits the weights.
Source: Genest and Zidek, Combining Probability Distributions, Statistical Science 1986.

Two pools are shipped. One combines the network with the trees over layout measures into the
prediction by screenshot; the other combines that with the prediction by HTML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from corpus_commons.kinds import GENRE_OF_TYPE
from genre_model.calibration import FloatArray, clipped_log, softmax
from genre_model.prediction import THRESHOLD, Prediction

SCREENSHOT, HTML = "screenshot", "html"
NETWORK, LAYOUT = "network", "layout"

_FOLDER = Path(__file__).with_name("shipped")
SHIPPED: Final = _FOLDER / "fusion.json"  # of SCREENSHOT and HTML
SHIPPED_SCREENSHOT: Final = _FOLDER / "screenshot-fusion.json"  # of NETWORK and LAYOUT

SURE: Final = 0.6
"""Where HTML gives so much to a genre and a page type, a crawl does not ask the screenshot."""

LEAST_FUSED: Final = 1e-4
"""Probabilities are clipped to at least this, so that no classifier can overrule all others."""


@dataclass(frozen=True, slots=True)
class HeadFusion:
    """The log-linear pool of one head.

    labels: the classes, in the order of ``bias``.
    weights: by the name of the classifier, not negative.
    bias: one number per class, in log probabilities.
    """

    labels: tuple[str, ...]
    weights: Mapping[str, float]
    bias: tuple[float, ...]

    def pool(self, probabilities: Mapping[str, npt.ArrayLike]) -> FloatArray:
        """The pooled probabilities, (..., classes), from such arrays by classifier.

        Raises ValueError for other classifiers than those of the pool.
        """
        if probabilities.keys() != self.weights.keys():
            raise ValueError(f"predictions by {[*probabilities]}, weights for {[*self.weights]}")
        logits = sum(
            weight * clipped_log(probabilities[name], LEAST_FUSED)
            for name, weight in self.weights.items()
        )
        return softmax(logits + np.asarray(self.bias))

    def fuse(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
        """The pooled scores, from scores by classifier.

        Raises ValueError for other labels or classifiers.
        """
        for name, table in scores.items():
            if set(table) != set(self.labels):
                raise ValueError(f"{name} has scores for {sorted(table)}, not for {self.labels}")
        pooled = self.pool(
            {name: [table[label] for label in self.labels] for name, table in scores.items()}
        )
        return dict(zip(self.labels, pooled.tolist(), strict=True))

    @classmethod
    def product_of(cls, classifiers: Sequence[str], labels: Sequence[str]) -> HeadFusion:
        """The product of experts, for classifiers without fitted weights."""
        return cls(tuple(labels), dict.fromkeys(classifiers, 1.0), (0.0,) * len(labels))

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> HeadFusion:
        """The pool with these fields from JSON; wrong fields raise an error of any kind."""
        head = cls(
            tuple(fields["labels"]),
            {str(name): float(weight) for name, weight in fields["weights"].items()},
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
    def classifiers(self) -> tuple[str, ...]:
        """The names of the classifiers that it combines."""
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
            names, opinions = {*fusion.classifiers}, {*fusion.genre.weights}
            if not names or not names <= opinions <= names | {*map(by_types, names)}:
                raise ValueError("both heads need weights of the same classifiers")
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            why = f"there is no {error}" if isinstance(error, KeyError) else error
            raise ValueError(f"{path} is not a file of fusion weights: {why}") from error
        return fusion

    def save(self, path: Path) -> None:
        """Write the weights as JSON."""
        path.write_bytes(
            orjson.dumps(asdict(self), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        )

    def fuse(
        self, predictions: Mapping[str, Prediction | None], threshold: float = THRESHOLD
    ) -> Prediction:
        """Combine the predictions of a page by classifier; if there is only one, return that.

        Raises ValueError if there is none, or if classifiers or labels are not those of the fusion.
        """
        if unknown := predictions.keys() - {*self.classifiers}:
            raise ValueError(f"predictions by {sorted(unknown)}, weights for {[*self.classifiers]}")
        seen = {name: its for name, its in predictions.items() if its is not None}
        if not seen:
            raise ValueError(f"there is no prediction by any of {', '.join(self.classifiers)}")
        if len(seen) == 1:
            return next(iter(seen.values())).with_threshold(threshold)
        genres: dict[str, Mapping[str, float]] = {}
        for name, its in seen.items():
            genres[name] = its.genre_scores
            if by_types(name) in self.genre.weights:
                types = its.page_type_scores
                implied = genre_by_types([*types.values()], [*types], self.genre.labels)
                genres[by_types(name)] = dict(zip(self.genre.labels, implied, strict=True))
        page_types = {name: its.page_type_scores for name, its in seen.items()}
        return Prediction.of(self.genre.fuse(genres), self.page_type.fuse(page_types), threshold)


def by_types(name: str) -> str:
    """The name of a classifier's genre scores that are derived from its page types."""
    return f"{name} by types"


def genre_by_types(
    probabilities: npt.ArrayLike, page_types: Sequence[str], genres: Sequence[str]
) -> FloatArray:
    """Genre probabilities derived from page types, which were also learned without a genre.

    probabilities: (..., page types). Returns (..., genres).

    >>> types = ("article", "listing", "product")
    >>> genre_by_types([0.375, 0.125, 0.5], types, ("article", "list-view")).tolist()
    [0.75, 0.25]
    """
    rows = np.asarray(probabilities, np.float64)
    implied = _implied(tuple(page_types), tuple(genres))
    said = np.stack([rows[..., types].sum(axis=-1) for types in implied], axis=-1)
    total = said.sum(axis=-1, keepdims=True)
    uniform = np.full_like(said, 1 / len(genres))
    shares: FloatArray = np.divide(said, total, out=uniform, where=total > 0)
    return shares


def with_page_types(
    prediction: Prediction, page_types: Mapping[str, float], threshold: float = THRESHOLD
) -> Prediction:
    """The prediction with other scores for page types.

    The odds of the genre move by the square root of how those that the types imply have moved.
    """
    genres = tuple(prediction.genre_scores)
    before, after = (
        genre_by_types([*types.values()], [*types], genres)
        for types in (prediction.page_type_scores, page_types)
    )
    moved = (clipped_log(after, LEAST_FUSED) - clipped_log(before, LEAST_FUSED)) / 2
    genre = softmax(clipped_log([*prediction.genre_scores.values()], LEAST_FUSED) + moved)
    return Prediction.of(dict(zip(genres, genre.tolist(), strict=True)), page_types, threshold)


@cache
def _implied(page_types: tuple[str, ...], genres: tuple[str, ...]) -> list[list[int]]:
    """For every genre, the indices of the page types that imply it."""
    return [
        [i for i, name in enumerate(page_types) if GENRE_OF_TYPE.get(name) == genre]
        for genre in genres
    ]

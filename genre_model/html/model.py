"""The HTML model and its file: feature names, trees, word models, temperatures and the pool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from corpus_commons.boosting import Booster, model_file
from genre_model.calibration import softmax
from genre_model.fusion import HeadFusion, genre_by_types
from genre_model.html.features import feature_names
from genre_model.html.word_model import WordModel

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from genre_model.html.features import Reading

Table = Mapping[str, float]

# What is pooled for the genre: the probabilities of its own head, and those by page types.
ASKED, BY_TYPES = "asked", "by types"

_LEAST_PROBABILITY = 1e-9


@dataclass(frozen=True, eq=False)
class Head:
    """One head: its labels, its trees and its temperature.

    trees: in LightGBM's text format; they give one probability per label, or, for two labels, only
        that of the second.
    words: a word model. share: the weight of its log probabilities, relative to those of the trees.
    """

    labels: tuple[str, ...]
    trees: str
    temperature: float
    words: WordModel | None = None
    share: float = 0.0

    @cached_property
    def booster(self) -> Booster:
        return Booster(self.trees)

    def probabilities(self, pages: Sequence[Reading]) -> npt.NDArray[np.float64]:
        """Calibrated probabilities, (pages, labels); each row sums to 1."""
        rows = np.stack([page.numbers for page in pages])
        blended = logits(by_label(self.booster.predict(rows)))
        if self.words:
            blended += self.share * self.words.log_probabilities([page.words for page in pages])
        return softmax(blended, self.temperature)

    def to_fields(self) -> dict[str, Any]:
        """The fields in a form that JSON can represent."""
        return {
            "labels": self.labels,
            "trees": self.trees,
            "temperature": self.temperature,
            "words": self.words and self.words.to_fields(),
            "share": self.share,
        }

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Head:
        """The head that ``to_fields`` wrote."""
        words = fields["words"] and WordModel.from_fields(fields["words"])
        return cls(
            tuple(fields["labels"]), fields["trees"], fields["temperature"], words, fields["share"]
        )


@dataclass(frozen=True, eq=False)
class Model:
    """Two heads on the same vector of features.

    features: the names of the vector's entries.
    pool: combines ``ASKED`` and ``BY_TYPES`` for the genre, because more pages have a known page
        type than a known genre.
    """

    features: tuple[str, ...]
    genre: Head
    page_type: Head
    pool: HeadFusion

    def answers(self, pages: Sequence[Reading]) -> Iterator[tuple[Table, Table]]:
        """For every page, the probabilities of its genre and of its page type, by label."""
        for asked, types in zip(
            _tables(self.genre, pages), _tables(self.page_type, pages), strict=True
        ):
            yield self.pool.fuse({ASKED: asked, BY_TYPES: genre_by_types(types)}), types


def _tables(head: Head, pages: Sequence[Reading]) -> list[Table]:
    probabilities = head.probabilities(pages).tolist()
    return [dict(zip(head.labels, row, strict=True)) for row in probabilities]


def by_label(outputs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The output of the trees as (pages, labels)."""
    return outputs if outputs.ndim > 1 else np.stack((1 - outputs, outputs), axis=1)


def logits(probabilities: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Log probabilities, clipped for probabilities of 0."""
    return np.log(np.maximum(probabilities, _LEAST_PROBABILITY))


def load(file: Path | str) -> Model:
    """Load a model that ``save`` wrote.

    Raises ValueError for any other file, and for a model trained on other features than those of
    this version.
    """
    model = model_file.load(file, "trees over features of HTML", _model_of)
    if model.features != feature_names():
        raise ValueError(f"{file}: trained on other features than this version's; train it again")
    return model


def save(file: Path, model: Model) -> None:
    """Write a model for ``load``."""
    heads = {"genre": model.genre.to_fields(), "page_type": model.page_type.to_fields()}
    contents = {"features": model.features, "heads": heads, "pool": asdict(model.pool)}
    model_file.save(file, contents)


def _model_of(contents: Mapping[str, Any]) -> Model:
    heads = contents["heads"]
    return Model(
        tuple(contents["features"]),
        Head.from_fields(heads["genre"]),
        Head.from_fields(heads["page_type"]),
        HeadFusion.from_fields(contents["pool"]),
    )

"""Boosted trees for both heads on one row of numbers per page, and their model file.

The classifiers of HTML and of layout are such models. That of HTML also reads words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from corpus_commons.boosting import Booster, model_file
from genre_model.calibration import FloatArray, clipped_log, softmax
from genre_model.fusion import HeadFusion, genre_by_types
from genre_model.prediction import THRESHOLD, Prediction
from genre_model.word_model import WordModel, Words

Vector = npt.NDArray[np.float32]

# What is pooled for the genre: the probabilities of its own head, and those by page types.
ASKED: Final = "asked"
BY_TYPES: Final = "by types"

_LEAST_PROBABILITY = 1e-9
# Lines that prediction does not need. Without ``tree_sizes``, which are byte counts of the full
# text, LightGBM reads the trees one by one.
_GROWTH = ("split_gain=", "internal_", "leaf_weight=", "leaf_count=", "tree_sizes=")


@dataclass(frozen=True, eq=False)
class TreeHead:
    """One head.

    forests: in LightGBM's text format; they give one probability per label, or, for two labels,
        only that of the second. Their log probabilities are averaged.
    words: a word model. share: the weight of its log probabilities, relative to those of the trees.
    """

    labels: tuple[str, ...]
    forests: tuple[str, ...]
    temperature: float = 1.0
    words: WordModel | None = None
    share: float = 0.0

    @cached_property
    def _boosters(self) -> tuple[Booster, ...]:
        return tuple(map(Booster, self.forests))

    def by_trees(self, rows: Vector) -> FloatArray:
        """Log probabilities, (pages, labels), from the numbers, (pages, features)."""
        logs = [_logs(booster.predict(rows)) for booster in self._boosters]
        return sum(logs[1:], logs[0]) / len(logs)

    def probabilities(self, rows: Vector, words: Sequence[Words] = ()) -> FloatArray:
        """Calibrated probabilities, (pages, labels); each row sums to 1."""
        blended = self.by_trees(rows)
        if self.words is not None:
            blended = blended + self.share * self.words.log_probabilities(words)
        return softmax(blended, self.temperature)

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> TreeHead:
        """The head in a file; older files have the text of a single forest as ``trees``."""
        words = fields.get("words")
        return cls(
            tuple(fields["labels"]),
            tuple(fields["forests"]) if "forests" in fields else (fields["trees"],),
            float(fields["temperature"]),
            words and WordModel.from_fields(words),
            fields.get("share", 0.0),
        )

    def to_fields(self) -> dict[str, Any]:
        """The fields for ``from_fields``, without what prediction does not need."""
        return {
            "labels": self.labels,
            "forests": [_slim(forest) for forest in self.forests],
            "temperature": self.temperature,
            "words": self.words and self.words.to_fields(),
            "share": self.share,
        }


@dataclass(frozen=True, eq=False)
class TreesModel:
    """Both heads.

    features: the names of a row's numbers.
    pool: combines ``ASKED`` and ``BY_TYPES`` for the genre, because more pages have a known page
        type than a known genre; None to use the genre's own head alone.
    """

    features: tuple[str, ...]
    genre: TreeHead
    page_type: TreeHead
    pool: HeadFusion | None = None

    def predict(
        self, rows: Vector, words: Sequence[Words] = (), threshold: float = THRESHOLD
    ) -> list[Prediction]:
        """One prediction per row."""
        genres = self.genre.probabilities(rows, words)
        types = self.page_type.probabilities(rows, words)
        if self.pool is not None:
            by_types = genre_by_types(types, self.page_type.labels, self.genre.labels)
            genres = self.pool.pool({ASKED: genres, BY_TYPES: by_types})
        return Prediction.of_rows(
            self.genre.labels, genres, self.page_type.labels, types, threshold
        )


def load(file: Path | str, what: str, features: tuple[str, ...]) -> TreesModel:
    """Load a model that ``save`` wrote.

    what: the kind of model, for the error message. features: those of this version.
    Raises ValueError for any other file, and for a model trained on other features.
    """

    def model_of(contents: Mapping[str, Any]) -> TreesModel:
        names = contents["features"] if "features" in contents else contents["measures"]
        genre, page_type = (
            TreeHead.from_fields(contents["heads"][head]) for head in ("genre", "page_type")
        )
        fields = contents.get("pool")
        pool = HeadFusion.from_fields(fields) if fields else None
        if pool is not None and pool.labels != genre.labels:
            raise ValueError(f"a pool of {pool.labels} for {genre.labels}")
        return TreesModel(tuple(names), genre, page_type, pool)

    model = model_file.load(file, what, model_of)
    if model.features != features:
        raise ValueError(f"{file}: trained on other features than this version's; train it again")
    return model


def save(file: Path, model: TreesModel) -> None:
    """Write a model for ``load``."""
    heads = {"genre": model.genre.to_fields(), "page_type": model.page_type.to_fields()}
    pool = model.pool and asdict(model.pool)
    model_file.save(file, {"features": model.features, "heads": heads, "pool": pool})


def _logs(outputs: FloatArray) -> FloatArray:
    """Log probabilities, (pages, labels), from the output of a forest."""
    both = outputs if outputs.ndim > 1 else np.stack((1 - outputs, outputs), axis=1)
    return clipped_log(both, _LEAST_PROBABILITY)


def _slim(forest: str) -> str:
    """LightGBM's text without the statistics of training, which are half of it."""
    lines = forest.partition("\nfeature_importances:")[0].splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(_GROWTH))

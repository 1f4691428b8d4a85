"""The layout model and its file: names of the measures, trees of both heads, temperatures."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from corpus_commons.boosting import Booster, model_file
from genre_model.calibration import softmax
from genre_model.html.model import by_label, logits
from genre_model.layout.measures import measure_names

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from genre_model.calibration import FloatArray
    from genre_model.layout.measures import Vector

# Lines that prediction does not need. Without ``tree_sizes``, which are byte counts of the full
# text, LightGBM reads the trees one by one.
_GROWTH = ("split_gain=", "internal_", "leaf_weight=", "leaf_count=", "tree_sizes=")


@dataclass(frozen=True)
class LayoutHead:
    """One head: its labels, its forests and its temperature.

    forests: in LightGBM's text format; they give one probability per label, or, for two labels,
        only that of the second. Their log probabilities are averaged.
    """

    labels: tuple[str, ...]
    forests: tuple[str, ...]
    temperature: float

    @cached_property
    def boosters(self) -> tuple[Booster, ...]:
        return tuple(map(Booster, self.forests))

    def probabilities(self, rows: Vector) -> FloatArray:
        """Calibrated probabilities, (pages, labels), from (pages, measures)."""
        answers = [logits(by_label(booster.predict(rows))) for booster in self.boosters]
        return softmax(np.mean(answers, axis=0), self.temperature)

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> LayoutHead:
        """The head that ``save`` wrote."""
        forests = tuple(map(str, fields["forests"]))
        return cls(tuple(fields["labels"]), forests, float(fields["temperature"]))


@dataclass(frozen=True)
class LayoutModel:
    """Two heads on the same vector of measures."""

    genre: LayoutHead
    page_type: LayoutHead


def load(file: Path | str) -> LayoutModel:
    """Load a model that ``save`` wrote.

    Raises ValueError for any other file, and for a model trained on other measures than those of
    this version.
    """
    measures, model = model_file.load(file, "trees over layout measures", _measures_and_model)
    if measures != measure_names():
        raise ValueError(f"{file}: trained on other measures than this version's; train it again")
    return model


def save(file: Path, model: LayoutModel) -> None:
    """Write a model for ``load``, without what prediction does not need."""
    heads = {
        name: fields | {"forests": [_slim(forest) for forest in fields["forests"]]}
        for name, fields in asdict(model).items()
    }
    model_file.save(file, {"measures": measure_names(), "heads": heads})


def _measures_and_model(contents: Mapping[str, Any]) -> tuple[tuple[str, ...], LayoutModel]:
    heads = contents["heads"]
    model = LayoutModel(
        LayoutHead.from_fields(heads["genre"]), LayoutHead.from_fields(heads["page_type"])
    )
    return tuple(contents["measures"]), model


def _slim(forest: str) -> str:
    """LightGBM's text without the statistics of training, which are half of it."""
    lines = forest.partition("\nfeature_importances:")[0].splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(_GROWTH))

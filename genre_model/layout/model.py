"""The model file: the names of the measures, the trees of both heads, and their temperatures."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from boosting import Booster, model_file
from genre_model.calibration import softmax
from genre_model.html.model import by_label, logits
from genre_model.layout.measures import measure_names

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from genre_model.calibration import FloatArray
    from genre_model.layout.measures import Vector

# ``tree_sizes`` counts the bytes of the whole text; without it trees are read one by one.
_GROWTH = ("split_gain=", "internal_", "leaf_weight=", "leaf_count=", "tree_sizes=")


@dataclass(frozen=True)
class LayoutHead:
    """One question: its labels, the trees that answer it, and their temperature.

    forests: in LightGBM's text format; a probability a label, or of two labels that of the second.
    Their log probabilities are averaged.
    """

    labels: tuple[str, ...]
    forests: tuple[str, ...]
    temperature: float

    @cached_property
    def boosters(self) -> tuple[Booster, ...]:
        return tuple(map(Booster, self.forests))

    def probabilities(self, rows: Vector) -> FloatArray:
        """Calibrated probabilities, (pages, labels), of (pages, measures)."""
        answers = [logits(by_label(booster.predict(rows))) for booster in self.boosters]
        return softmax(np.mean(answers, axis=0), self.temperature)

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> LayoutHead:
        """The head that ``save`` wrote."""
        forests = tuple(map(str, fields["forests"]))
        return cls(tuple(fields["labels"]), forests, float(fields["temperature"]))


@dataclass(frozen=True)
class LayoutModel:
    """Two heads on one vector of measures."""

    genre: LayoutHead
    page_type: LayoutHead


def load(file: Path | str) -> LayoutModel:
    """The model that ``save`` wrote.

    Raises ValueError for another file, and for a model made with other measures than this
    version's.
    """
    measures, model = model_file.load(file, "trees over layout measures", _measures_and_model)
    if measures != measure_names():
        raise ValueError(f"{file}: made with other measures; train it again by train-layout")
    return model


def save(file: Path, model: LayoutModel) -> None:
    """Write the names of the measures and both heads, without what prediction has no use for."""
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
    """LightGBM's text without the lines that only say how trees were grown: half of it."""
    lines = forest.partition("\nfeature_importances:")[0].splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(_GROWTH))

"""Genre and page type from layout measures of a screenshot, without TensorFlow.

>>> import numpy as np
>>> from genre_model.layout.classifier import LayoutClassifier
>>> from genre_model.layout.measures import measure
>>> blank = np.full((400, 320, 3), 255, np.uint8)
>>> [prediction] = LayoutClassifier.shipped().predict([measure(blank)])
>>> sorted(prediction.genre_scores)
['article', 'list-view']
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from genre_model import trees
from genre_model.layout.measures import measure_names
from genre_model.prediction import Prediction

SHIPPED_MODEL: Final = Path(__file__).with_name("model.zst")


class LayoutClassifier:
    """Boosted trees over ``measures.measure``. Safe to share between threads."""

    def __init__(self, model: trees.TreesModel) -> None:
        self._model = model

    @classmethod
    @cache
    def shipped(cls) -> LayoutClassifier:
        """The shipped model, loaded once per process."""
        return cls.from_file(SHIPPED_MODEL)

    @classmethod
    def from_file(cls, file: Path) -> LayoutClassifier:
        """A model that ``python -m genre_model train-layout`` wrote."""
        return cls(load(file))

    def predict(self, pages: Sequence[trees.Vector]) -> list[Prediction]:
        """One prediction per page, from its measures."""
        return self._model.predict(np.stack(pages)) if pages else []


def load(file: Path | str) -> trees.TreesModel:
    """A model of the layout; raises ValueError for any other file, see ``trees.load``."""
    return trees.load(file, "trees over layout measures", measure_names())

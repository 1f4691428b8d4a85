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

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from genre_model.layout.model import LayoutModel, load
from genre_model.prediction import Prediction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from genre_model.layout.measures import Vector

SHIPPED_MODEL: Final = Path(__file__).with_name("model.zst")


class LayoutClassifier:
    """Boosted trees over ``measures.measure``. Safe to share between threads."""

    def __init__(self, model: LayoutModel) -> None:
        self._model = model

    @classmethod
    def shipped(cls) -> LayoutClassifier:
        """The shipped model, loaded once per process."""
        return _shipped()

    @classmethod
    def from_file(cls, file: Path) -> LayoutClassifier:
        """A model that ``python -m genre_model train-layout`` wrote."""
        return cls(load(file))

    def predict(self, pages: Sequence[Vector]) -> list[Prediction]:
        """One prediction per page, from its measures."""
        if not pages:
            return []
        rows = np.stack(pages)
        genre, page_type = self._model.genre, self._model.page_type
        return [
            Prediction.of(
                dict(zip(genre.labels, by_genre, strict=True)),
                dict(zip(page_type.labels, by_type, strict=True)),
            )
            for by_genre, by_type in zip(
                genre.probabilities(rows).tolist(),
                page_type.probabilities(rows).tolist(),
                strict=True,
            )
        ]


@cache
def _shipped() -> LayoutClassifier:
    return LayoutClassifier.from_file(SHIPPED_MODEL)

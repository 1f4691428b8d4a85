"""Genre and page type of a page from its HTML alone: no URL, no rendering.

>>> from genre_model.html.classifier import HtmlClassifier
>>> [prediction] = HtmlClassifier.shipped().predict(["<p>A page."])
>>> sorted(prediction.genre_scores)
['article', 'list-view']
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from corpus_commons.markup.dom import Dom, parse
from genre_model import trees
from genre_model.html.features import feature_names, read
from genre_model.prediction import THRESHOLD, Prediction

SHIPPED_MODEL = Path(__file__).with_name("model.zst")


class HtmlClassifier:
    """Boosted trees over a page's structure and text; for page types, also a model of its words.

    The predicted page types contribute to the genre.

    threshold: with a lower best probability, the prediction is None (unsure).
    Safe to share between threads.
    """

    def __init__(self, model: trees.TreesModel, threshold: float = THRESHOLD) -> None:
        self._model = model
        self._threshold = threshold

    @classmethod
    @cache
    def shipped(cls) -> HtmlClassifier:
        """The shipped model, loaded once per process."""
        return cls.from_file(SHIPPED_MODEL)

    @classmethod
    def from_file(cls, file: Path | str, threshold: float = THRESHOLD) -> HtmlClassifier:
        """A model that ``python -m genre_model train-html`` wrote."""
        return cls(load(file), threshold)

    def predict(self, pages: Sequence[Dom | str | bytes]) -> list[Prediction]:
        """One prediction per page; parsed pages are not parsed again.

        Raises MarkupError for a page that cannot be parsed. A page without text gets a prediction,
        too, learned from such pages in the training data.
        """
        if not pages:
            return []
        readings = [read(parse(page)) for page in pages]
        rows = np.stack([reading.numbers for reading in readings])
        return self._model.predict(rows, [reading.words for reading in readings], self._threshold)


def load(file: Path | str) -> trees.TreesModel:
    """A model of HTML; raises ValueError for any other file, see ``trees.load``."""
    return trees.load(file, "trees over features of HTML", feature_names())

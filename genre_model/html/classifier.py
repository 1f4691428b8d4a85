"""Genre and page type of a page from its HTML alone: no URL, no rendering.

>>> from genre_model.html.classifier import HtmlClassifier
>>> [prediction] = HtmlClassifier.shipped().predict(["<p>A page."])
>>> sorted(prediction.genre_scores)
['article', 'list-view']
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from corpus_commons.markup.batches import in_batches
from corpus_commons.markup.dom import Dom, parse
from corpus_commons.markup.forest import Forest, forest_of
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

    def predict(self, pages: Iterable[Dom | str | bytes]) -> list[Prediction]:
        """One prediction per page, for several in less time than one by one.

        Parsed pages are not parsed again.
        Raises MarkupError for a page that cannot be parsed. A page without text gets a prediction,
        too, learned from such pages in the training data.
        """
        found: list[Prediction] = []
        for batch in in_batches(map(parse, pages), len):
            found += self.predict_forest(forest_of(batch))
        return found

    def predict_forest(self, pages: Forest) -> list[Prediction]:
        """The same for pages that are one tree already."""
        rows, words = read(pages)
        return self._model.predict(rows, words, self._threshold)


def load(file: Path | str) -> trees.TreesModel:
    """A model of HTML; raises ValueError for any other file, see ``trees.load``."""
    return trees.load(file, "trees over features of HTML", feature_names())

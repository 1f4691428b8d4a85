"""Genre and page type of a page from its HTML, and from its URL if that is known.

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
from genre_model.url import UrlEvidence

SHIPPED_MODEL = Path(__file__).with_name("model.zst")


class HtmlClassifier:
    """Boosted trees over a page's structure and text; for page types, also a model of its words.

    The predicted page types contribute to the genre. What a URL says is added to both.

    threshold: with a lower best probability, the prediction is None (unsure).
    Safe to share between threads.
    """

    def __init__(self, model: trees.TreesModel, threshold: float = THRESHOLD) -> None:
        self._model = model
        self._threshold = threshold
        self._url = UrlEvidence.shipped()

    @classmethod
    @cache
    def shipped(cls) -> HtmlClassifier:
        """The shipped model, loaded once per process."""
        return cls.from_file(SHIPPED_MODEL)

    @classmethod
    def from_file(cls, file: Path | str, threshold: float = THRESHOLD) -> HtmlClassifier:
        """A model that ``python -m genre_model train-html`` wrote."""
        return cls(load(file), threshold)

    def predict(
        self,
        pages: Iterable[Dom | str | bytes],
        urls: Iterable[str | None] | None = None,
    ) -> list[Prediction]:
        """One prediction per page, for several in less time than one by one.

        Parsed pages are not parsed again. urls: one per page, None where it is not known.
        Raises MarkupError for a page that cannot be parsed. A page without text gets a prediction,
        too, learned from such pages in the training data. Raises TypeError for a single page, and
        ValueError for another number of URLs than of pages.
        """
        if isinstance(pages, str | bytes):
            raise TypeError(f"pages is a single {type(pages).__name__}; give a list of pages")
        found: list[Prediction] = []
        for batch in in_batches(map(parse, pages), len):
            found += self.predict_forest(forest_of(batch))
        if urls is None:
            return found
        return [
            self._url.revise(its, url, self._threshold) if url else its
            for its, url in zip(found, urls, strict=True)
        ]

    def predict_forest(self, pages: Forest) -> list[Prediction]:
        """The same for pages that are one tree already, without their URLs."""
        rows, words = read(pages)
        return self._model.predict(rows, words, self._threshold)


def load(file: Path | str) -> trees.TreesModel:
    """A model of HTML; raises ValueError for any other file, see ``trees.load``."""
    return trees.load(file, "trees over features of HTML", feature_names())

"""What a page's URL says of its page type, as evidence beside what its HTML says.

Every known term of the URL has a weight for every page type: by how much it raises the logarithm of
that type's odds. A URL without known terms says nothing, so that its page keeps its prediction; so
does a page type that no page with a known URL has. ``genre_model.training.url`` fits the weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from corpus_commons.boosting import model_file
from genre_model.calibration import FloatArray, clipped_log, softmax
from genre_model.fusion import LEAST_FUSED, with_page_types
from genre_model.prediction import THRESHOLD, Prediction
from genre_model.url.terms import terms

SHIPPED: Final = Path(__file__).with_name("model.zst")


@dataclass(frozen=True, slots=True)
class UrlEvidence:
    """page_types: those that URLs speak of. weights: of every term, in the order of the types."""

    page_types: tuple[str, ...]
    weights: Mapping[str, tuple[float, ...]]

    def revise(self, prediction: Prediction, url: str, threshold: float = THRESHOLD) -> Prediction:
        """The prediction of a page whose URL is known, from that without it.

        Raises ValueError for a prediction that lacks a page type.
        """
        known = [self.weights[term] for term in sorted(terms(url)) if term in self.weights]
        if not known:
            return prediction
        scores = prediction.page_type_scores
        if missing := {*self.page_types} - {*scores}:
            raise ValueError(f"scores for {[*scores]}, without {sorted(missing)}")
        evidence = dict(zip(self.page_types, np.sum(known, axis=0).tolist(), strict=True))
        added: FloatArray = np.array([evidence.get(label, 0.0) for label in scores])
        types = softmax(clipped_log([*scores.values()], LEAST_FUSED) + added)
        return with_page_types(
            prediction, dict(zip(scores, types.tolist(), strict=True)), threshold
        )

    @classmethod
    @cache
    def shipped(cls) -> UrlEvidence:
        """The shipped weights."""
        return cls.load(SHIPPED)

    @classmethod
    def load(cls, path: Path | str) -> UrlEvidence:
        """Read a file that ``save`` wrote; raises ValueError for any other file."""
        return model_file.load(path, "weights of the terms of URLs", cls._from_contents)

    def save(self, path: Path) -> None:
        model_file.save(path, {"page_types": self.page_types, "weights": self.weights})

    @classmethod
    def _from_contents(cls, contents: Mapping[str, Any]) -> UrlEvidence:
        page_types = tuple(map(str, contents["page_types"]))
        weights = {
            str(term): tuple(map(float, row)) for term, row in {**contents["weights"]}.items()
        }
        if any(len(row) != len(page_types) for row in weights.values()):
            raise ValueError("every term needs a weight for every page type")
        return cls(page_types, weights)

"""The word model of a head: multinomial logistic regression with one byte per weight."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from genre_model.html.words import BUCKETS, Words

Floats = npt.NDArray[np.float64]
_LARGEST = 127


@dataclass(frozen=True, eq=False)
class WordModel:
    """Computes log probabilities of the labels from the words of a page.

    weights: (buckets, labels), in units of ``scales``, (labels,). intercepts: (labels,).
    """

    weights: npt.NDArray[np.int8]
    scales: Floats
    intercepts: Floats

    @classmethod
    def of(cls, coefficients: Floats, intercepts: Floats) -> WordModel:
        """The model with these coefficients, (buckets, labels), quantised to 255 steps."""
        scales = np.maximum(np.abs(coefficients).max(axis=0), 1e-9) / _LARGEST
        return cls(np.round(coefficients / scales).astype(np.int8), scales, intercepts)

    def log_probabilities(self, pages: Sequence[Words]) -> Floats:
        """(pages, labels)."""
        sums = np.array([page.values @ self.weights[page.buckets] for page in pages])
        logits = sums * self.scales + self.intercepts
        logits -= logits.max(axis=1, keepdims=True)
        logged: Floats = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return logged

    def to_fields(self) -> dict[str, Any]:
        """The fields in a form that JSON can represent."""
        return {
            "weights": base64.b64encode(self.weights.tobytes()).decode(),
            "scales": self.scales.tolist(),
            "intercepts": self.intercepts.tolist(),
        }

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> WordModel:
        """The model that ``to_fields`` wrote. Raises ValueError for another number of buckets."""
        weights = np.frombuffer(base64.b64decode(fields["weights"]), dtype=np.int8)
        intercepts = np.array(fields["intercepts"])
        return cls(
            weights.reshape(BUCKETS, len(intercepts)), np.array(fields["scales"]), intercepts
        )

"""A model of a page's words: multinomial logistic regression with one byte per weight.

The words are hashed into buckets, by the field of the page that they are in.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genre_model.calibration import FloatArray

FIELDS = ("title", "description", "headings", "links", "text")
BITS = 15
BUCKETS = len(FIELDS) << BITS

_LARGEST = 127


class Words(NamedTuple):
    """The words of one page. buckets: ascending; values: (buckets,), each field of unit length."""

    buckets: npt.NDArray[np.int32]
    values: npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class WordModel:
    """Computes log probabilities of the labels from the words of a page.

    weights: (buckets, labels), in units of ``scales``, (labels,). intercepts: (labels,).
    """

    weights: npt.NDArray[np.int8]
    scales: FloatArray
    intercepts: FloatArray

    @classmethod
    def of(cls, coefficients: FloatArray, intercepts: FloatArray) -> WordModel:
        """The model with these coefficients, (buckets, labels), quantised to 255 steps."""
        scales = np.maximum(np.abs(coefficients).max(axis=0), 1e-9) / _LARGEST
        return cls(np.round(coefficients / scales).astype(np.int8), scales, intercepts)

    def log_probabilities(self, pages: Sequence[Words]) -> FloatArray:
        """(pages, labels)."""
        sums = np.array([page.values @ self.weights[page.buckets] for page in pages])
        logits = sums * self.scales + self.intercepts
        logits -= logits.max(axis=1, keepdims=True)
        logged: FloatArray = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
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

"""Stacking: one answer for the page type, from what the HTML classifier and the extractor say.

A fusion gives every classifier one weight. Here each type that one of the two names speaks for or
against each type, as a multinomial logistic regression over the log probabilities of both says:
the extractor has read the blocks of the page, and is better at some types and worse at others.
``genre_model.training.stacking`` fits the weights.
Sources: Wolpert, Stacked Generalization, Neural Networks 1992; Ting and Witten, Issues in Stacked
Generalization, JAIR 1999, for probabilities rather than answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from genre_model.calibration import FloatArray, clipped_log, softmax
from genre_model.fusion import with_page_types
from genre_model.prediction import Prediction

SHIPPED: Final = Path(__file__).with_name("shipped") / "stacking.json"

LEAST_STACKED: Final = 1e-3
"""Probabilities are clipped to at least this, so that no opinion can be infinitely sure."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one of the two says, and what that is worth.

    labels: the page types that it knows.
    weights: a row for each of them, with its weight for every type of the answer.
    """

    labels: tuple[str, ...]
    weights: tuple[tuple[float, ...], ...]

    def logits(self, probabilities: npt.ArrayLike) -> FloatArray:
        """Its part in the answer's log probabilities, (..., types), from (..., labels)."""
        weighed: FloatArray = clipped_log(probabilities, LEAST_STACKED) @ np.asarray(self.weights)
        return weighed

    def row(self, scores: Mapping[str, float]) -> list[float]:
        """The scores in the order of the labels. Raises ValueError for other labels."""
        if {*scores} != {*self.labels}:
            raise ValueError(f"scores for {sorted(scores)}, weights for {self.labels}")
        return [scores[label] for label in self.labels]

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Opinion:
        """The opinion with these fields from JSON; wrong fields raise an error of any kind."""
        rows = tuple(tuple(map(float, row)) for row in fields["weights"])
        return cls(tuple(map(str, fields["labels"])), rows)


@dataclass(frozen=True, slots=True)
class Stacking:
    """Both opinions, of which the HTML classifier's has the types of the answer.

    bias: one number per type, in log probabilities.
    """

    html: Opinion
    extractor: Opinion
    bias: tuple[float, ...]

    def pool(self, html: npt.ArrayLike, extractor: npt.ArrayLike) -> FloatArray:
        """Probabilities (..., types) from those of both opinions, (..., labels of each)."""
        logits = self.html.logits(html) + self.extractor.logits(extractor)
        return softmax(logits + np.asarray(self.bias))

    def weigh(self, html: Prediction, extractor: Mapping[str, float]) -> Prediction:
        """The HTML classifier's prediction, revised by the extractor's scores of page types.

        The odds of the genre move with those that the types imply, see ``with_page_types``.
        The prediction is unchanged if there are no scores, as for empty pages and for methods that
        do not judge pages. Raises ValueError for scores of other types.
        """
        if not extractor:
            return html
        pooled = self.pool(self.html.row(html.page_type_scores), self.extractor.row(extractor))
        types = dict(zip(self.html.labels, pooled.tolist(), strict=True))
        return with_page_types(html, types)

    @classmethod
    @cache
    def shipped(cls) -> Stacking:
        """The shipped weights, which were fitted for the shipped models."""
        return cls.load(SHIPPED)

    @classmethod
    def load(cls, path: Path | str) -> Stacking:
        """Read a file that ``save`` wrote; raises ValueError for any other file."""
        try:
            fields = orjson.loads(Path(path).read_bytes())
            html, extractor = (Opinion.from_fields(fields[of]) for of in ("html", "extractor"))
            stacking = cls(html, extractor, tuple(map(float, fields["bias"])))
            rows = (*html.weights, *extractor.weights, stacking.bias)
            if len(rows) != len(html.labels) + len(extractor.labels) + 1:
                raise ValueError("every label needs a row of weights")
            if any(len(row) != len(html.labels) for row in rows):
                raise ValueError("every row needs a weight for every type")
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path} is not a file of stacking weights: {error!r}") from error
        return stacking

    def save(self, path: Path) -> None:
        """Write the weights as JSON."""
        path.write_bytes(
            orjson.dumps(asdict(self), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        )

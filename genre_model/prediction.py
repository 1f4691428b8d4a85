"""The prediction for a page: one label and all scores, for genre and page type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from corpus_commons.kinds import UNSURE
from genre_model.calibration import FloatArray

# By default there is always an answer; a higher threshold makes uncertain ones "unsure".
THRESHOLD = 0.0


@dataclass(frozen=True, slots=True)
class Prediction:
    """The genre and the page type of one page.

    genre, page_type: the label with the best score, or None if that is below the threshold.
    genre_scores, page_type_scores: a calibrated probability for every label; they sum to 1.

    >>> scores = {"article": 0.9, "list-view": 0.1}
    >>> Prediction.of(scores, {"product": 0.3, "media": 0.7}, threshold=0.8)
    ... # doctest: +NORMALIZE_WHITESPACE
    Prediction(genre='article', genre_scores={'article': 0.9, 'list-view': 0.1},
               page_type=None, page_type_scores={'product': 0.3, 'media': 0.7})
    """

    genre: str | None
    genre_scores: dict[str, float]
    page_type: str | None
    page_type_scores: dict[str, float]

    @classmethod
    def of(
        cls,
        genre_scores: Mapping[str, float],
        page_type_scores: Mapping[str, float],
        threshold: float = THRESHOLD,
    ) -> Prediction:
        """The prediction with these scores; None (unsure) for a best score below ``threshold``."""
        return cls(
            _best(genre_scores, threshold),
            dict(genre_scores),
            _best(page_type_scores, threshold),
            dict(page_type_scores),
        )

    @classmethod
    def of_rows(
        cls,
        genres: Sequence[str],
        genre_rows: FloatArray,
        page_types: Sequence[str],
        page_type_rows: FloatArray,
        threshold: float = THRESHOLD,
    ) -> list[Prediction]:
        """The predictions of several pages, from arrays of (pages, labels)."""
        return [
            cls.of(
                dict(zip(genres, by_genre, strict=True)),
                dict(zip(page_types, by_type, strict=True)),
                threshold,
            )
            for by_genre, by_type in zip(genre_rows.tolist(), page_type_rows.tolist(), strict=True)
        ]

    def with_threshold(self, threshold: float) -> Prediction:
        """The same scores with another threshold."""
        return Prediction.of(self.genre_scores, self.page_type_scores, threshold)

    def to_json(self, page: str, **more: str) -> bytes:
        """One line of JSON, including the newline; None is written as ``unsure``.

        page: the page's id. more: fields to write after it, such as ``by``.
        """
        fields = {
            "id": page,
            **more,
            "genre": self.genre or UNSURE,
            "genre_scores": _rounded(self.genre_scores),
            "page_type": self.page_type or UNSURE,
            "page_type_scores": _rounded(self.page_type_scores),
        }
        return orjson.dumps(fields, option=orjson.OPT_APPEND_NEWLINE)

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Prediction:
        """The prediction in a line that ``to_json`` wrote; raises ValueError for other lines."""
        try:
            genre, page_type = fields["genre"], fields["page_type"]
            scores = [scores_of(fields[f"{head}_scores"]) for head in ("genre", "page_type")]
        except KeyError as error:
            raise ValueError(f"a prediction needs {error}") from error
        for label, known in zip((genre, page_type), scores, strict=True):
            if label not in [*known, UNSURE]:
                raise ValueError(f"{label!r} is not among its scores")
        return cls(
            None if genre == UNSURE else genre,
            scores[0],
            None if page_type == UNSURE else page_type,
            scores[1],
        )


def best(scores: Mapping[str, float]) -> str | None:
    """The label with the highest score, the first one of equals; None without labels."""
    return max(scores, key=scores.__getitem__) if scores else None


def _best(scores: Mapping[str, float], threshold: float) -> str | None:
    label = best(scores)
    return None if label is None or scores[label] < threshold else label


def _rounded(scores: Mapping[str, float]) -> dict[str, float]:
    return {label: round(float(score), 6) for label, score in scores.items()}


def scores_of(value: object) -> dict[str, float]:
    """A table of scores from JSON; raises ValueError for anything else."""
    if not isinstance(value, dict) or not all(
        isinstance(label, str) and isinstance(score, int | float) and 0 <= score <= 1
        for label, score in value.items()
    ):
        raise ValueError("scores must be a table of labels with numbers from 0 to 1")
    return {label: float(score) for label, score in value.items()}

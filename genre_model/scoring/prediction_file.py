"""Files of predictions: what ``predict`` and every cross-validation write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import orjson

from corpus_commons.terminal.output import write_output
from genre_model.calibration import FloatArray, IntArray
from genre_model.labels import HEADS
from genre_model.prediction import Prediction


class Predicted(NamedTuple):
    """A prediction as read from a file. fold: of the cross-validation, if the line has one."""

    prediction: Prediction
    fold: str | None = None


def read_predictions(path: Path) -> dict[str, Predicted]:
    """The predictions by id, from a file that ``predict`` wrote; lines with an error are skipped.

    Raises ValueError, naming file and line, for any other line or a repeated id.
    """
    found: dict[str, Predicted] = {}
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                fields = orjson.loads(line)
                if not isinstance(fields, dict) or not isinstance(fields.get("id"), str):
                    raise ValueError("not a prediction: it has no id")
                if "error" in fields:
                    continue
                if fields["id"] in found:
                    raise ValueError(f"a second prediction for {fields['id']}")
                fold = fields.get("fold")
                found[fields["id"]] = Predicted(
                    Prediction.from_fields(fields), None if fold is None else str(fold)
                )
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from error
    return found


def write_out_of_fold(
    path: Path,
    ids: Sequence[str],
    folds: IntArray,
    probabilities: Mapping[str, FloatArray],
    labels: Mapping[str, Sequence[str]] = HEADS,
) -> None:
    """Write the predictions of a cross-validation, with the fold of every page.

    probabilities: by head, (pages, labels).
    """
    predictions = Prediction.of_rows(
        labels["genre"], probabilities["genre"], labels["page_type"], probabilities["page_type"]
    )
    lines = (
        prediction.to_json(page, fold=str(fold))
        for page, fold, prediction in zip(ids, folds.tolist(), predictions, strict=True)
    )
    write_output(path, b"".join(lines))

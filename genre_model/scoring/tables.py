"""Scores as text for people and as JSON for machines."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import orjson
from rich.table import Table

from genre_model.scoring.scores import Estimate, Scores


def summary(title: str, scores: Mapping[str, Scores]) -> Table:
    """One row per part of the data."""
    table = Table(title=title, title_justify="left")
    table.add_column("pages of")
    for name in ("pages", "accuracy", "macro F1", "ECE", "log loss", "sure", "accuracy if sure"):
        table.add_column(name, justify="right")
    for part, found in scores.items():
        table.add_row(
            part,
            str(found.pages),
            interval(found.accuracy),
            interval(found.macro_f1),
            number(found.calibration_error),
            number(found.log_loss),
            number(found.coverage),
            number(found.sure_accuracy),
        )
    return table


def by_class(scores: Scores) -> Table:
    """Precision, recall and F1 of every class."""
    table = Table()
    table.add_column("class")
    for name in ("pages", "precision", "recall", "F1"):
        table.add_column(name, justify="right")
    for label, found in scores.classes.items():
        figures = map(interval, (found.precision, found.recall, found.f1))
        table.add_row(label, str(found.support), *figures)
    return table


def confusion(scores: Scores) -> Table:
    """The confusion matrix: true classes in rows, predictions in columns."""
    table = Table()
    table.add_column("true \\ answer")
    for label in scores.labels:
        table.add_column(label, justify="right")
    for i, label in enumerate(scores.labels):
        counts = scores.confusion[i].tolist()
        table.add_row(
            label,
            *(f"[bold]{n}[/]" if i == j else str(n or "·") for j, n in enumerate(counts)),
        )
    return table


def as_json(scores: Scores) -> dict[str, Any]:
    """All scores; an estimate is a list of value, low and high; NaN becomes null."""
    plain = orjson.dumps(scores, default=list, option=orjson.OPT_SERIALIZE_NUMPY)
    fields: dict[str, Any] = orjson.loads(plain)
    return fields


def number(value: float) -> str:
    """Three digits, or a dash.

    >>> number(0.5), number(-0.0), number(float("nan"))
    ('0.500', '0.000', '–')
    """
    return "–" if math.isnan(value) else f"{value:z.3f}"


def interval(estimate: Estimate) -> str:
    """An estimate and its interval.

    >>> interval(Estimate(0.9, 0.85, 0.925))
    '0.900 (0.850–0.925)'
    """
    value = number(estimate.value)
    return (
        value if math.isnan(estimate.low) else f"{value} ({estimate.low:.3f}–{estimate.high:.3f})"
    )

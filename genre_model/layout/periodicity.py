"""Vertical repetition: periods of row profiles, and of a coarse map of the page."""

from __future__ import annotations

import numpy as np

from genre_model.layout.columns import Column, below_header
from genre_model.layout.page import HEADER, STRONG_INK, Page
from genre_model.layout.signals import (
    Measures,
    joint_autocorrelation,
    mean,
    named,
    peaks,
    periods,
    smooth,
)

_FINE, _COARSE = (1.5, 14, 260), (4.0, 30, 300)
_CELL = (4, 8)
_SHORTEST, _LONGEST = 5, 90


def period_measures(page: Page, column: Column) -> Measures:
    """Periods of text, ink, pictures, colour and strong ink in a column, at two scales."""
    rows = below_header(page)
    columns = slice(column.left, column.right)
    half = slice(column.left // 2, column.right // 2)
    profiles = {
        "text": page.text[:, half].mean(axis=1, dtype=np.float32).repeat(2)[rows],
        "ink": page.ink[rows, columns].mean(axis=1, dtype=np.float32),
        "pictures": page.pictures[:, half].mean(axis=1, dtype=np.float32).repeat(2)[rows],
        "colour": page.colour[rows, columns].mean(axis=1, dtype=np.float32) / np.float32(255),
        "strong": (page.contrast[rows, columns] > STRONG_INK).mean(axis=1, dtype=np.float32),
    }
    stacked = np.stack(list(profiles.values()))
    fine, coarse = (
        periods(smooth(stacked, sigma), shortest, longest)
        for sigma, shortest, longest in (_FINE, _COARSE)
    )
    found: Measures = {}
    for name, near, far in zip(profiles, fine, coarse, strict=True):
        found |= named(f"period.{name}.fine", near)
        found[f"period.{name}.coarse.strength"] = far["strength"]
        found[f"period.{name}.coarse.length"] = far["length"]
    return found


def map_measures(page: Page) -> Measures:
    """The vertical autocorrelation of a coarse map of the page's ink and pictures."""
    high, wide = _CELL
    content = (page.text + 0.6 * page.pictures).astype(np.float32)[HEADER // 2 :]
    content = content[: len(content) // (high // 2) * (high // 2)]
    cells = content.reshape(-1, high // 2, content.shape[1] // (wide // 2), wide // 2)
    correlations = joint_autocorrelation(cells.mean(axis=(1, 3)).T)
    near = correlations[_SHORTEST : min(_LONGEST, len(correlations) - 3)]
    tops = peaks(near)
    if not len(tops):
        return dict.fromkeys(
            ("map.strength", "map.length", "map.mean", "map.peaks", "map.top"), 0.0
        )
    top = int(tops[near[tops].argmax()])
    return {
        "map.strength": float(near[top]),
        "map.length": float(top),
        "map.mean": mean(near),
        "map.peaks": float(len(tops)),
        "map.top": mean(near[tops]),
    }

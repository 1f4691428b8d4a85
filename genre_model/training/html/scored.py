"""Scores of predictions for labelled pages, among the labels that the pages have."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from genre_model.labels import HEADS, indices_of
from genre_model.prediction import THRESHOLD, Prediction
from genre_model.scoring.scores import Scores, score
from genre_model.training.html.pages import LabelledHtml


def scored(head: str, pages: Sequence[LabelledHtml], predictions: Sequence[Prediction]) -> Scores:
    """The scores of one head, whose label all of the pages have."""
    truth = [getattr(page, head) for page in pages]
    present = [label for label in HEADS[head] if label in truth]
    tables = [getattr(prediction, f"{head}_scores") for prediction in predictions]
    among = np.array([[table[label] for label in present] for table in tables])
    return score(
        among / among.sum(axis=1, keepdims=True),
        indices_of(truth, present),
        present,
        [page.site for page in pages],
        threshold=THRESHOLD,
    )

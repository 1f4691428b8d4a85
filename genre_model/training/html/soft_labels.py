"""Predictions of the trees for every page, as soft labels for training the network.

A network that is tested on a fold must not learn anything about that fold's labels, not even
through its teacher. So, for every other fold, each page also gets predictions of trees that were
trained without that fold and without the page's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import orjson

from genre_model.calibration import IntArray
from genre_model.labels import HEADS
from genre_model.training.html.pages import FOLDER, HtmlPages
from genre_model.training.trees import fit_trees

_LEAST_FOLDS = 3


def check_soft_labels(head: str, folds: IntArray) -> None:
    """Raises ValueError if two folds have all labels, so that none are left for training.

    folds: those of the pages with a label.
    """
    if len(np.unique(folds)) < _LEAST_FOLDS:
        raise ValueError(
            f"--teach: pages with a known {head.replace('_', ' ')} are needed in at least three "
            "folds, so that any two can be held out"
        )


def soft_labels(pages: HtmlPages, seed: int) -> Iterator[bytes]:
    """Lines of ``{"id", "unseen", "genre_scores", "page_type_scores"}`` for ``read_teacher``.

    unseen: the folds that the trees were trained without. Only for pages of the folder, not WCXB's.
    """
    folds = np.unique(pages.folds).tolist()
    for unseen in (*((fold,) for fold in folds), *combinations(folds, 2)):
        held = np.isin(pages.folds, unseen)
        asked = np.flatnonzero(held & (pages.datasets == FOLDER))
        answers = {}
        for head in HEADS:
            trees, _ = fit_trees(pages, head, ~held, None, seed)
            answers[head] = trees.probabilities(pages.full.rows[asked]).round(5).tolist()
        for place, page in enumerate(asked.tolist()):
            scores = {
                f"{head}_scores": dict(zip(HEADS[head], rows[place], strict=True))
                for head, rows in answers.items()
            }
            line = {"id": pages.ids[page], "unseen": unseen, **scores}
            yield orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)

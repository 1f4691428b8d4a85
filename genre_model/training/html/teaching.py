"""Predictions of the trees for every page, as soft labels for training the network.

A network that is tested on a fold must not learn anything about that fold's labels, not even
through its teacher. So, for every other fold, each page also gets predictions of trees that were
trained without that fold and without the page's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
import orjson

from genre_model.html.model import by_label
from genre_model.training.html.fitting import Pages, Question, fit_trees

_OF_FOLDER = 0
_LEAST_FOLDS = 3


def check_lessons(head: str, folds: npt.NDArray[np.int64]) -> None:
    """Raises ValueError if two folds have all labels, so that none are left for training.

    folds: those of the pages with a label.
    """
    if len(np.unique(folds)) < _LEAST_FOLDS:
        raise ValueError(
            f"--teach: pages with a known {head.replace('_', ' ')} are needed in at least three "
            "folds, so that any two can be held out"
        )


def lessons(pages: Pages, questions: Sequence[Question], seed: int) -> Iterator[bytes]:
    """Lines of ``{"id", "unseen", "genre_scores", "page_type_scores"}``; see ``teacher``.

    unseen: the folds that the trees were trained without. Only for pages of the folder, not WCXB's.
    """
    folds = np.unique(pages.folds).tolist()
    for unseen in (*((fold,) for fold in folds), *combinations(folds, 2)):
        held = np.flatnonzero(np.isin(pages.folds, unseen) & (pages.set_of == _OF_FOLDER))
        rows = {
            f"{question.name}_scores": (
                question.labels,
                by_label(
                    np.asarray(
                        fit_trees(pages, question, ~np.isin(pages.folds, unseen), seed).predict(
                            pages.full[held], num_threads=1
                        )
                    )
                ),
            )
            for question in questions
        }
        for place, page in enumerate(held.tolist()):
            scores = {
                name: dict(zip(labels, answers[place].round(5).tolist(), strict=True))
                for name, (labels, answers) in rows.items()
            }
            line = {"id": pages.sets[_OF_FOLDER].ids[page], "unseen": unseen, **scores}
            yield orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)

"""What the trees say of every page, for a network to learn from beside the labels.

A network that is to be judged on one fold may learn nothing of that fold's labels, not even by way
of its teacher. So every page is also answered by trees that have seen neither its own fold nor
one other, for each of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
import orjson

from genre_model.html.fitting import Pages, Question, fit_trees
from genre_model.html.model import by_label

_OF_FOLDER = 0
_LEAST_FOLDS = 3


def check_lessons(head: str, folds: npt.NDArray[np.int64]) -> None:
    """Raises ValueError where two folds hold all labels, so that none are left of other folds.

    folds: of the pages with a label.
    """
    if len(np.unique(folds)) < _LEAST_FOLDS:
        raise ValueError(
            f"--teach: pages with a known {head.replace('_', ' ')} are needed in three folds at "
            "least, to learn from those outside of every two"
        )


def lessons(pages: Pages, questions: Sequence[Question], seed: int) -> Iterator[bytes]:
    """Lines of ``{"id", "unseen", "genre_scores", "page_type_scores"}``, see ``teacher``.

    unseen: the folds that the trees had not seen. Only pages of the folder are answered.
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

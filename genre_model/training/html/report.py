"""The cross-validated scores by data set, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from corpus_commons.kinds import GENRE_OF_TYPE, GENRES, PAGE_TYPES
from genre_model.calibration import FloatArray, IntArray
from genre_model.labels import UNKNOWN, indices_of
from genre_model.scoring.scores import Scores, score
from genre_model.scoring.tables import by_class, summary
from genre_model.training.html.pages import FOLDER, WCXB, HtmlPages
from genre_model.training.trees import Mask, OutOfFold

if TYPE_CHECKING:
    from rich.console import RenderableType

_THRESHOLD = 0.6
_HEADS: Final = ("genre", "page type")


def report(
    pages: HtmlPages, unseen: Mapping[str, OutOfFold], svm: Mapping[str, IntArray] | None
) -> dict[str, dict[str, Scores]]:
    """Scores by data set and kind: of both heads, of the pages' other forms, and of a trained SVM.

    Page types are scored among those that the data set has: WCXB has seven of the nine.
    """
    genre, bare_genre, nameless_genre = unseen["genre"].probabilities
    page_type, bare_page_type, nameless_page_type = unseen["page_type"].probabilities
    truth = pages.truth("genre")
    result: dict[str, dict[str, Scores]] = {}
    for name in (FOLDER, WCXB):
        inside = pages.datasets == name
        if not inside.any():
            continue
        scored = {
            "genre": _scored(pages, genre, truth, inside, GENRES),
            "genre, stripped": _scored(pages, bare_genre, truth, inside, GENRES),
            "genre, nameless": _scored(pages, nameless_genre, truth, inside, GENRES),
            "page type": _of_types(pages, page_type, inside),
            "page type, stripped": _of_types(pages, bare_page_type, inside),
            "page type, nameless": _of_types(pages, nameless_page_type, inside),
        }
        if name == WCXB:
            scored["genre, wide"] = _scored(pages, genre, _wide(pages), inside, GENRES)
        if svm is not None:
            by_svm = np.eye(2)[svm[name]]
            scored["genre, SVM on 11 features"] = _scored(pages, by_svm, truth, inside, GENRES)
        result[name] = {kind: its for kind, its in scored.items() if its}
    return result


def tables(scores: Mapping[str, Mapping[str, Scores]]) -> Iterator[RenderableType]:
    """What ``report`` returned, for people: a table for each data set, and one for each head."""
    for dataset, kinds in scores.items():
        yield summary(f"{dataset}, out of fold", kinds)
        yield (
            "stripped: the same pages without their scripts and style; "
            "nameless: also with made-up names of their elements"
        )
        yield from (by_class(its) for kind, its in kinds.items() if kind in _HEADS)


def _scored(
    pages: HtmlPages,
    probabilities: FloatArray,
    truth: IntArray,
    inside: Mask,
    labels: Sequence[str],
) -> Scores | None:
    known = np.flatnonzero(inside & (truth != UNKNOWN))
    if not len(known):
        return None
    groups = [pages.sites[i] for i in known.tolist()]
    return score(probabilities[known], truth[known], labels, groups, threshold=_THRESHOLD)


def _of_types(pages: HtmlPages, probabilities: FloatArray, inside: Mask) -> Scores | None:
    truth = pages.truth("page_type")
    present = np.unique(truth[inside & (truth != UNKNOWN)])
    place = np.full(len(PAGE_TYPES) + 1, UNKNOWN)
    place[present] = np.arange(len(present))
    among = probabilities[:, present]
    among = among / among.sum(axis=1, keepdims=True)
    return _scored(pages, among, place[truth], inside, [PAGE_TYPES[i] for i in present])


def _wide(pages: HtmlPages) -> IntArray:
    """A wider definition of the paper's genres for WCXB: those that the page types imply, so that
    manuals count as articles, and threads as lists of posts.
    """
    # Last is the genre of an unknown page type, whose index is -1.
    genre_of = indices_of([*map(GENRE_OF_TYPE.get, PAGE_TYPES), None], GENRES)
    wide: IntArray = genre_of[pages.truth("page_type")]
    return wide


def fields(scores: Scores) -> dict[str, Any]:
    """Scores of a kind, for JSON."""
    return {
        "pages": scores.pages,
        "sites": scores.groups,
        "accuracy": [round(value, 4) for value in scores.accuracy],
        "macro_f1": [round(value, 4) for value in scores.macro_f1],
        "calibration_error": round(scores.calibration_error, 4),
        "log_loss": round(scores.log_loss, 4),
        "classes": {
            label: {
                "precision": round(its.precision.value, 4),
                "recall": round(its.recall.value, 4),
                "f1": round(its.f1.value, 4),
                "support": its.support,
            }
            for label, its in scores.classes.items()
        },
        "labels": list(scores.labels),
        "confusion": scores.confusion.tolist(),
    }

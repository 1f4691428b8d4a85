"""The cross-validated scores by data set, as a table and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from genre_model.scoring.scores import Scores, score
from genre_model.training.html.fitting import GENRE, PAGE_TYPE, UNKNOWN, Labels, OutOfFold, Pages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from genre_model.calibration import FloatArray

_THRESHOLD = 0.6
# A wider definition of the paper's genres for WCXB: manuals count as articles, and threads as lists
# of posts.
_WIDE = {"article": 0, "documentation": 0, "listing": 1, "collection": 1, "forum": 1}


def report(
    pages: Pages, genre: OutOfFold, page_type: OutOfFold, svm: Sequence[Labels] | None
) -> dict[str, Any]:
    """Scores by data set: of both heads, of the stripped copies, and of the SVM if it was trained.

    Page types are scored among those that the data set has: WCXB has seven of the nine.
    """
    result: dict[str, Any] = {}
    for of_set, rows in enumerate(pages.sets):
        inside = pages.set_of == of_set
        scored = {
            "genre": _scored(pages, genre.full, pages.genres, inside, GENRE.labels),
            "genre, stripped": _scored(pages, genre.bare, pages.genres, inside, GENRE.labels),
            "page type": _of_types(pages, page_type.full, inside),
            "page type, stripped": _of_types(pages, page_type.bare, inside),
        }
        if rows.name == "wcxb":
            scored["genre, wide"] = _scored(pages, genre.full, _wide(pages), inside, GENRE.labels)
        if svm is not None:
            scored["genre, SVM on 11 features"] = _scored(
                pages, np.eye(2)[svm[of_set]], pages.genres, inside, GENRE.labels
            )
        result[rows.name] = {name: _fields(its) for name, its in scored.items() if its}
    return result


def tables(scores: dict[str, Any]) -> str:
    """The scores as text, with one line per head and one per label."""
    lines = []
    for set_name, heads in scores.items():
        for head, fields in heads.items():
            accuracy, low, high = fields["accuracy"]
            lines.append(
                f"{set_name:8} {head:26} {fields['pages']:5} pages  accuracy {accuracy:.4f} "
                f"[{low:.3f}, {high:.3f}]  macro F1 {fields['macro_f1'][0]:.3f}  "
                f"calibration error {fields['calibration_error']:.3f}"
            )
            lines += [
                f"{'':35} {label:15} precision {its['precision']:.3f}  recall {its['recall']:.3f}  "
                f"F1 {its['f1']:.3f}  of {its['support']}"
                for label, its in fields["classes"].items()
            ]
    return "\n".join(lines)


def _scored(
    pages: Pages,
    probabilities: FloatArray,
    truth: Labels,
    inside: np.ndarray,
    labels: Sequence[str],
) -> Scores | None:
    known = np.flatnonzero(inside & (truth != UNKNOWN))
    if not len(known):
        return None
    groups = [pages.groups[i] for i in known]
    return score(probabilities[known], truth[known], labels, groups, threshold=_THRESHOLD)


def _of_types(pages: Pages, probabilities: FloatArray, inside: np.ndarray) -> Scores | None:
    truth = pages.page_types
    present = np.unique(truth[inside & (truth != UNKNOWN)])
    place = np.full(len(PAGE_TYPE.labels) + 1, UNKNOWN)
    place[present] = np.arange(len(present))
    among = probabilities[:, present]
    among = among / among.sum(axis=1, keepdims=True)
    labels = [PAGE_TYPE.labels[i] for i in present]
    return _scored(pages, among, place[truth], inside, labels)


def _wide(pages: Pages) -> Labels:
    genre_of = np.array([_WIDE.get(kind, UNKNOWN) for kind in PAGE_TYPE.labels] + [UNKNOWN])
    wide: Labels = genre_of[pages.page_types]
    return wide


def _fields(scores: Scores) -> dict[str, Any]:
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

"""Element-based and text-based scores, as Yunis reports them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypedDict

import numpy as np
import numpy.typing as npt

from extraction.methods.elements.samples import Sample


class Figures(TypedDict):
    """Precision, recall and F1 of main content, each in [0, 1]; None if undefined."""

    precision: float | None
    recall: float | None
    f1: float | None


class Scores(TypedDict):
    """count: of labelled elements; by_element: unweighted; by_text: weighted by characters."""

    count: int
    by_element: Figures
    by_text: Figures


def scores_by_kind(
    samples: Sequence[Sample],
    probabilities: Sequence[npt.NDArray[np.float64]],
    threshold: float,
    kinds: Iterable[str],
) -> dict[str, Scores]:
    """Scores pooled over the pages: of each kind, and of ``all``."""
    labels = np.concatenate([s.labels for s in samples])
    lengths = np.concatenate([s.lengths for s in samples])
    kept = np.concatenate(probabilities) >= threshold
    kind_of = np.array([kind for s in samples for kind in s.kinds])
    labelled = labels >= 0
    chosen = {kind: labelled & (kind_of == kind) for kind in kinds} | {"all": labelled}
    return {
        kind: {
            "count": int(mask.sum()),
            "by_element": figures(kept[mask], labels[mask] == 1, np.ones(int(mask.sum()))),
            "by_text": figures(kept[mask], labels[mask] == 1, lengths[mask]),
        }
        for kind, mask in chosen.items()
    }


def figures(
    kept: npt.NDArray[np.bool_], main: npt.NDArray[np.bool_], sizes: npt.NDArray[np.generic]
) -> Figures:
    """Precision, recall and F1, with elements weighted by size.

    >>> figures(np.array([True, False]), np.array([True, True]), np.array([90, 10]))
    {'precision': 1.0, 'recall': 0.9, 'f1': 0.9473684210526315}
    """
    hit, claimed, wanted = (float(sizes[mask].sum()) for mask in (kept & main, kept, main))
    return {
        "precision": hit / claimed if claimed else None,
        "recall": hit / wanted if wanted else None,
        "f1": 2 * hit / (claimed + wanted) if claimed + wanted else None,
    }

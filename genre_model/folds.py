"""The folds of a cross-validation, by site: pages of a site are alike, so they are in one fold."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

NO_FOLD: Final = -1
"""The fold of pages that are trained on in every fold, and never held out."""

_LEAST_FOLDS: Final = 2


def grouped_folds(groups: Sequence[str], count: int = 5, seed: int = 0) -> list[int]:
    """A fold for every sample; a group is in one fold, and folds have about the same size.

    >>> folds = grouped_folds(["a", "b", "a", "c"], count=2)
    >>> folds[0] == folds[2]
    True
    """
    sizes = Counter(groups)
    names = sorted(sizes)
    random.Random(seed).shuffle(names)  # noqa: S311 - reproducible, not secret
    names.sort(key=lambda name: -sizes[name])
    totals = [0] * count
    fold_of: dict[str, int] = {}
    for name in names:
        fold = totals.index(min(totals))
        fold_of[name] = fold
        totals[fold] += sizes[name]
    return [fold_of[group] for group in groups]


def check_folds(head: str, known: npt.NDArray[np.bool_], folds: npt.NDArray[np.int64]) -> None:
    """Raises ValueError if all labels are in one fold, so that none are left for training.

    known: for every page, whether it has a label.
    """
    if len(np.unique(folds[known])) < _LEAST_FOLDS:
        raise ValueError(
            f"pages with a known {head.replace('_', ' ')} are needed in at least two folds; "
            f"{known.sum()} of {len(known)} pages have one"
        )

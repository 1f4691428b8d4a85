"""Prediction with boosted trees: by LightGBM's library if it is installed, otherwise in NumPy.

Both give the same numbers; the library is faster (``benchmarks.without_lightgbm``). It is part of
the extra ``fast``, because its package brings SciPy, larger than all that extraction needs.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from corpus_commons.boosting.array_trees import ArrayTrees
from corpus_commons.boosting.library_trees import LibraryTrees, has_library


class Booster:
    """A model in LightGBM's text format.

    text: the model, as it was given.
    margin: early stopping, for binary models: no more trees are evaluated for a row once its log
        odds exceed the margin, in either direction. By default all trees are evaluated.
    outputs: the number of values per row: 1, or the number of classes.
    Raises ValueError for text that is not a model.
    """

    def __init__(self, model: str, *, margin: float | None = None) -> None:
        self.text = model
        self._margin = margin
        trees = LibraryTrees if has_library() else ArrayTrees
        self._trees = trees(model, margin=margin)
        self.outputs = self._trees.outputs

    def predict(self, rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """The outputs for every row: (rows,), or (rows, outputs) if there are several."""
        found = self._trees.predict(np.ascontiguousarray(rows, dtype=np.float32))
        return found[:, 0] if self.outputs == 1 else found

    def __reduce__(self) -> tuple[Callable[..., Booster], tuple[str, float | None]]:
        # The trees may be in the library's memory; it is the text that another process gets.
        return _booster, (self.text, self._margin)


def _booster(model: str, margin: float | None) -> Booster:
    return Booster(model, margin=margin)

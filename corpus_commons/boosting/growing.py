"""Common training parameters of boosted trees, for a few thousand pages.

LightGBM itself is imported only where trees are trained; prediction does not need it.
"""

from __future__ import annotations

from typing import Any, Final

PARAMETERS: Final = {
    "min_data_in_leaf": 15,
    "lambda_l2": 5.0,
    "feature_fraction": 0.15,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "max_bin": 63,
    # On a busy machine, several threads would wait for each other at every split.
    "num_threads": 1,
    "force_col_wise": True,
    "deterministic": True,
    "verbose": -1,
}
"""LightGBM's parameters, except for the learning rate and the number of leaves."""


def objective(classes: int) -> dict[str, Any]:
    """LightGBM's objective for this number of classes.

    >>> objective(2), objective(9)
    ({'objective': 'binary'}, {'objective': 'multiclass', 'num_class': 9})
    """
    if classes > 2:
        return {"objective": "multiclass", "num_class": classes}
    return {"objective": "binary"}

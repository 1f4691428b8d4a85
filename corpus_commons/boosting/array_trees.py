"""Prediction with boosted trees in NumPy alone, for machines without LightGBM.

Every leaf of a tree is a bit. A split that sends a row to the right rules out the leaves of its
left side; the first leaf that is left is the row's (QuickScorer: Lucchese et al., SIGIR 2015). So a
tree needs no walk: all splits of many trees are compared with all rows at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.float32]
Values = npt.NDArray[np.float64]

_MOST_LEAVES: Final = 64
_ALL: Final = 2**_MOST_LEAVES - 1
_KEEPS_ALL: Final = np.array([_ALL], np.uint64)
# LightGBM's ``decision_type``: bit 0 a categorical split, bit 1 missing values go to the left,
# bits 2 and 3 what counts as missing: nothing, zeros or NaN.
_CATEGORICAL, _MISSING_LEFT, _ZEROS_ARE_MISSING, _NANS_ARE_MISSING = 1, 2, 4, 8
_TREES_AT_ONCE: Final = 20


class _Trees(NamedTuple):
    """Some consecutive trees. Splits of a tree are consecutive.

    features, thresholds: (splits,). A row whose value is at most the threshold goes to the left.
    nans_left: (splits,) whether a row without a value goes to the left.
    keeps: (splits,) the leaves that a row which goes to the right may still reach, one bit a leaf.
    starts: (trees,) each tree's first split. leaves: (trees, most leaves) their values.
    """

    features: npt.NDArray[np.intp]
    thresholds: Rows
    nans_left: npt.NDArray[np.bool_]
    keeps: npt.NDArray[np.uint64]
    starts: npt.NDArray[np.intp]
    leaves: Values

    def values(self, columns: Rows) -> Values:
        """The trees' values, (trees, rows), for columns of (features, rows)."""
        given = columns[self.features]
        goes_left = given <= self.thresholds[:, None]
        if self.nans_left.any() and np.isnan(columns).any():
            goes_left |= np.isnan(given) & self.nans_left[:, None]
        reachable = np.bitwise_and.reduceat(
            np.where(goes_left, _KEEPS_ALL, self.keeps[:, None]), self.starts, axis=0
        )
        first = reachable & (~reachable + np.uint64(1))
        leaf = np.frexp(first.astype(np.float64))[1] - 1
        return np.take_along_axis(self.leaves, leaf, axis=1)


class ArrayTrees:
    """A model in LightGBM's text format; see ``Booster`` for the arguments.

    Raises ValueError for text that is not a model, or one of more than 64 leaves a tree or with
    categorical splits.
    """

    def __init__(self, model: str, *, margin: float | None = None) -> None:
        header, *trees = model.split("\nTree=")
        if not trees or not header.startswith("tree\n"):
            raise ValueError("LightGBM: this is not a model")
        self.outputs = int(_field(header, "num_class"))
        self._margin = np.inf if margin is None else margin
        self._transformed = _transformation(_field(header, "objective"))
        step = _TREES_AT_ONCE * self.outputs
        self._groups = [_trees(trees[i : i + step]) for i in range(0, len(trees), step)]

    def predict(self, rows: Rows) -> Values:
        """The outputs for every row, (rows, outputs)."""
        columns = np.ascontiguousarray(rows.T, dtype=np.float32)
        scores = np.zeros((len(rows), self.outputs))
        undecided = np.arange(len(rows))
        for group in self._groups:
            if not len(undecided):
                break
            values = group.values(columns).reshape(-1, self.outputs, len(undecided))
            # In the order of the trees, as LightGBM adds them.
            scores[undecided] = np.add.reduce([scores[undecided].T, *values]).T
            if self._margin < np.inf:
                is_open = np.abs(scores[undecided, 0]) <= self._margin
                if not is_open.all():
                    undecided, columns = undecided[is_open], columns[:, is_open]
        return self._transformed(scores)


def _field(text: str, name: str) -> str:
    found = re.search(rf"^{name}=(.*)$", text, re.MULTILINE)
    if found is None:
        raise ValueError(f"LightGBM: the model has no {name}")
    return found[1]


def _numbers(tree: str, name: str, kind: type[np.generic]) -> npt.NDArray[Any]:
    return np.array(_field(tree, name).split(), dtype=kind)


def _trees(texts: list[str]) -> _Trees:
    parts = [_tree(text) for text in texts]
    lengths = [len(part[0]) for part in parts]
    leaves = np.zeros((len(parts), _MOST_LEAVES))
    for row, part in zip(leaves, parts, strict=True):
        row[: len(part[-1])] = part[-1]
    features, thresholds, nans_left, keeps = (
        np.concatenate(column) for column in list(zip(*parts, strict=True))[:-1]
    )
    starts = np.concatenate(([0], np.cumsum(lengths[:-1]))).astype(np.intp)
    return _Trees(features, thresholds, nans_left, keeps, starts, leaves)


def _tree(text: str) -> tuple[npt.NDArray[Any], ...]:
    """The columns of ``_Trees``, for one tree."""
    leaves = _numbers(text, "leaf_value", np.float64)
    if len(leaves) == 1:
        return np.zeros(1, np.intp), np.ones(1, np.float32), np.ones(1, bool), _KEEPS_ALL, leaves
    if len(leaves) > _MOST_LEAVES:
        raise ValueError(f"LightGBM: a tree of {len(leaves)} leaves needs the library itself")
    kinds = _numbers(text, "decision_type", np.int64)
    if (kinds & (_CATEGORICAL | _ZEROS_ARE_MISSING)).any():
        raise ValueError("LightGBM: categorical splits and missing zeros need the library itself")
    exact = _numbers(text, "threshold", np.float64)
    # NaN is the value 0 where it does not count as missing.
    nans_left = np.where(kinds & _NANS_ARE_MISSING, kinds & _MISSING_LEFT, exact >= 0).astype(bool)
    lefts, rights = (_numbers(text, f"{side}_child", np.int64) for side in ("left", "right"))
    order, below = _leaves_below(lefts.tolist(), rights.tolist())
    keeps = np.array([~below[left] & _ALL for left in lefts.tolist()], np.uint64)
    features = _numbers(text, "split_feature", np.intp)
    return features, _at_most(exact), nans_left, keeps, leaves[order]


def _leaves_below(lefts: list[int], rights: list[int]) -> tuple[list[int], dict[int, int]]:
    """The leaves from left to right, and the bits of the leaves below every node.

    Nodes are numbered as LightGBM does: leaf i is ``~i``, which is negative.
    """
    order: list[int] = []
    below: dict[int, int] = {}
    open_nodes = [0]
    while open_nodes:
        node = open_nodes.pop()
        if node < 0:
            below[node] = 1 << len(order)
            order.append(~node)
        elif lefts[node] in below and rights[node] in below:
            below[node] = below[lefts[node]] | below[rights[node]]
        else:
            open_nodes += (node, rights[node], lefts[node])
    return order, below


def _at_most(thresholds: Values) -> Rows:
    """The greatest single-precision numbers that are not above the thresholds."""
    rounded = thresholds.astype(np.float32)
    above = rounded > thresholds
    rounded[above] = np.nextafter(rounded[above], np.float32(-np.inf))
    return rounded


def _transformation(objective: str) -> Callable[[Values], Values]:
    name, *options = objective.split()
    if name == "multiclass":
        return _softmax
    if name == "cross_entropy" or (name == "binary" and "sigmoid:1" in options):
        return _logistic
    raise ValueError(f"LightGBM: the objective {objective} needs the library itself")


def _logistic(scores: Values) -> Values:
    return 1 / (1 + np.exp(-scores))


def _softmax(scores: Values) -> Values:
    powers: Values = np.exp(scores - scores.max(axis=1, keepdims=True))
    powers /= powers.sum(axis=1, keepdims=True)
    return powers

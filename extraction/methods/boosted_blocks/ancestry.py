"""The distance from every block up to its nearest ancestor of each group of tags and names."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from extraction.methods.boosted_blocks.batch import FAR
from extraction.methods.boosted_blocks.naming import NAMES

if TYPE_CHECKING:
    from corpus_commons.markup.tree import BoolArray
    from extraction.methods.boosted_blocks.batch import Batch, Columns

# Groups of tags, each one feature: the tags of a group are not told apart.
_TAG_GROUPS: dict[str, frozenset[str]] = {
    name.split()[0]: frozenset(name.split())
    for name in (
        "p", "div", "li", "ul ol", "table", "td th", "tr", "dl dt dd", "h1", "h2", "h3",
        "h4 h5 h6", "a", "span", "article", "main", "section", "nav", "header", "footer", "aside",
        "form", "button input textarea", "figure figcaption", "blockquote", "pre code", "label",
        "select option", "details summary", "noscript", "b strong", "em i", "time", "address",
    )
}  # fmt: skip
_NAMED = len(NAMES.names)
_BITS = np.arange(_NAMED)
_HIDDEN = _NAMED + len(_TAG_GROUPS)
_COLUMNS = (
    *(f"name-{name}" for name in NAMES.names),
    *(f"tag-{name}" for name in _TAG_GROUPS),
    "hidden",
    "aria-hidden",
)


class Ancestry:
    """The groups of every element: by its names, by its tag, and whether it is hidden."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        # Few of the possible sets of names occur.
        groups = batch.tree.names.groups(NAMES, len(batch.tree))
        sets, self._sets = np.unique(groups, return_inverse=True)
        self._named: BoolArray = (sets[:, None] >> _BITS & 1).astype(np.bool_)

    def columns(self) -> Columns:
        """Steps up from every block to the nearest element of each group; FAR if there is none."""
        tree, holders = self._batch.tree, self._batch.holders
        depths = tree.depths[holders]
        order = np.argsort(depths, kind="stable")
        holders = holders[order]
        row_of = np.zeros(len(tree), dtype=np.int32)
        row_of[holders] = np.arange(len(holders))
        steps = np.where(self._has(holders), np.uint8(0), np.uint8(FAR))
        above = row_of[self._batch.up[holders]]
        cuts = np.flatnonzero(np.diff(depths[order])) + 1
        for start, end in pairwise([*cuts.tolist(), len(holders)]):
            level = steps[start:end]
            np.minimum(level, steps[above[start:end]] + np.uint8(1), out=level)
        found = steps[row_of[self._batch.hosts]]
        return dict(zip(_COLUMNS, found.T, strict=True))

    def counts(self) -> npt.NDArray[np.float64]:
        """(pages, groups of names): the number of elements of each group."""
        sets = len(self._named)
        cells = self._batch.tree.page_of * sets + self._sets
        pages = len(self._batch.starts)
        counts = np.bincount(cells, minlength=pages * sets).reshape(pages, sets)
        return counts.astype(np.float64) @ self._named

    def _has(self, nodes: npt.NDArray[np.int32]) -> BoolArray:
        """(nodes, groups): whether a node belongs to a group."""
        tree = self._batch.tree
        has = np.zeros((len(nodes), len(_COLUMNS)), dtype=np.bool_)
        has[:, :_NAMED] = self._named[self._sets[nodes]]
        tags, codes = tree.tag_codes
        of_tags = [[tag in group for group in _TAG_GROUPS.values()] for tag in tags]
        has[:, _NAMED:_HIDDEN] = np.array(of_tags, dtype=np.bool_)[codes[nodes]]
        hidden = np.zeros((len(tree), 2), dtype=np.bool_)
        hidden[tree.attribute("hidden").nodes, 0] = True
        hidden[tree.hidden_by_style, 0] = True
        hidden[tree.attribute("aria-hidden").where(lambda value: value == "true"), 1] = True
        has[:, _HIDDEN:] = hidden[nodes]
        return has

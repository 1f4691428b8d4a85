"""The columns of a tree in document order, of one page or of several.

A subtree is the interval ``[i, ends[i])``, so the sums over all subtrees are one cumulative sum,
without recursion.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Set
from functools import cached_property
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.attribute import Attribute
from corpus_commons.markup.names import Names, names_of
from corpus_commons.markup.relations import followed
from corpus_commons.markup.tags import BLOCK_LEVEL, TEXT

IntArray = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]
Number = TypeVar("Number", np.int32, np.int64, np.float32, np.float64)

_NO_NODES: Final[IntArray] = np.empty(0, dtype=np.int32)
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)


class Tree(ABC):
    """Arrays with one entry per node.

    parents: index of the parent; -1 for a root.
    ends: one past the last descendant, so ``ends[i] == i + 1`` for a leaf.
    depths: 0 for a root.
    """

    parents: IntArray
    ends: IntArray
    depths: IntArray

    def __len__(self) -> int:
        return len(self.parents)

    @cached_property
    @abstractmethod
    def tag_codes(self) -> tuple[list[str], IntArray]:
        """The distinct tags, and for every node the index of its tag among them."""

    @cached_property
    @abstractmethod
    def lengths(self) -> IntArray:
        """For every node the length of its text, without invisible characters at both ends."""

    @abstractmethod
    def attribute(self, name: str) -> Attribute:
        """The attribute of that name, for all elements that have it."""

    def has_tag(self, names: Set[str]) -> BoolArray:
        """For every node, whether it has one of these tags."""
        distinct, codes = self.tag_codes
        return np.array([tag in names for tag in distinct], dtype=np.bool_)[codes]

    def elements(self, tag: str) -> IntArray:
        """The elements of that name, ascending."""
        return self._by_tag.get(tag, _NO_NODES)

    @cached_property
    def is_text(self) -> BoolArray:
        """Text nodes, including blank ones."""
        return self.has_tag({TEXT})

    @cached_property
    def has_text(self) -> BoolArray:
        """Text nodes with more than white space and invisible characters."""
        return self.lengths > 0

    def subtree_sums(self, values: npt.NDArray[Number]) -> npt.NDArray[Number]:
        """For every node, the sum of ``values`` over it and its descendants."""
        total = np.zeros(len(values) + 1, dtype=values.dtype)
        np.cumsum(values, out=total[1:])
        return total[self.ends] - total[:-1]

    def nearest(self, chosen: BoolArray) -> IntArray:
        """For every node, the nearest chosen node among itself and its ancestors; -1 if none."""
        # The last entry, with the index -1, stands for the parent of the root.
        up = np.append(np.where(chosen, np.arange(len(self), dtype=np.int32), self.parents), -1)
        return followed(up.astype(np.int32))[:-1]

    @cached_property
    def links(self) -> IntArray:
        """For every node, the link that it is in, or that it is; -1 if none."""
        return self.nearest(self.has_tag({"a"}))

    @cached_property
    def containers(self) -> IntArray:
        """For every node, the nearest block-level element (itself or an ancestor); -1 if none."""
        return self.nearest(self.has_tag(BLOCK_LEVEL))

    @cached_property
    def _by_tag(self) -> dict[str, IntArray]:
        distinct, codes = self.tag_codes
        order = np.argsort(codes, kind="stable").astype(np.int32)
        cuts = np.searchsorted(codes[order], np.arange(1, len(distinct)))
        return dict(zip(distinct, np.split(order, cuts), strict=True))

    @cached_property
    def names(self) -> Names:
        """The names of the elements; see ``names_of``."""
        return names_of(self)

    @cached_property
    def hidden_by_style(self) -> IntArray:
        """The elements whose inline style hides them."""
        return self.attribute("style").where(_HIDING_STYLE.search)

    def covered(self, roots: npt.NDArray[np.integer]) -> BoolArray:
        """For every node, whether it is in the subtree of any of ``roots``, which differ."""
        return self.nesting(roots) > 0

    def nesting(self, roots: npt.NDArray[np.integer]) -> IntArray:
        """For every node, in how many of the subtrees of ``roots`` it is, which differ."""
        steps = np.zeros(len(self) + 1, dtype=np.int32)
        if not len(roots):
            return steps[:-1]
        steps[roots] += 1
        np.subtract.at(steps, self.ends[roots], 1)
        return np.cumsum(steps[:-1], dtype=np.int32)

    def edges_passed(self, elements: BoolArray) -> IntArray:
        """For every node, how many of these elements have begun or ended, before it or at it."""
        steps = elements.astype(np.int32)
        steps += np.bincount(self.ends[elements], minlength=len(self) + 1)[:-1].astype(np.int32)
        return np.cumsum(steps, dtype=np.int32)

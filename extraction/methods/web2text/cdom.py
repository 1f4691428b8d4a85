"""The collapsed DOM of Web2Text (section 3.1), as arrays over the flat Dom.

Blank text, hidden text and elements without text are left out, and an element with a single child
is merged with it. What remains are the leaves, which are the text nodes and the blocks to label,
and the branches, which are elements with text in at least two of their children. Every node
represents the chain of merged elements up to its parent in the collapsed tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corpus_commons.markup.dom import Dom
from corpus_commons.markup.tags import BLOCK_LEVEL
from corpus_commons.markup.tree import BoolArray, IntArray

# Visible, but not text of the page.
_FORM_FIELDS = frozenset(("select", "textarea"))
_LINE_ENDING = BLOCK_LEVEL | {"br"}


@dataclass(frozen=True, eq=False)
class CollapsedDom:
    """The collapsed tree of a page.

    dom: the page.
    leaves: the text nodes that are blocks, in document order; they index ``dom``.
    branches: the elements with at least two children, in document order, the root first; they
        index ``dom``. The root of the Dom on a page with fewer than two leaves.
    leaf_parents: for every leaf, its parent as an index into ``branches``.
    branch_parents: for every branch, its parent as an index into ``branches``; -1 for the root.
    """

    dom: Dom
    leaves: IntArray
    branches: IntArray
    leaf_parents: IntArray
    branch_parents: IntArray

    @cached_property
    def texts(self) -> list[str]:
        """The text of every leaf, with white space collapsed."""
        return [" ".join(self.dom.texts[leaf].split()) for leaf in self.leaves.tolist()]

    @cached_property
    def spans(self) -> tuple[IntArray, IntArray]:
        """For every branch, its first leaf and one past its last."""
        return (
            np.searchsorted(self.leaves, self.branches).astype(np.int32),
            np.searchsorted(self.leaves, self.dom.ends[self.branches]).astype(np.int32),
        )

    @cached_property
    def branch_depths(self) -> IntArray:
        """For every branch, the number of its ancestors among the branches."""
        return self.dom.nesting(self.branches)[self.branches] - np.int32(1)

    @cached_property
    def common_ancestors(self) -> IntArray:
        """For every leaf but the last, the deepest branch that also contains the next leaf."""
        ancestors = self.leaf_parents[:-1].copy()
        following = self.leaves[1:]
        ends = self.dom.ends[self.branches]
        while (outside := ends[ancestors] <= following).any():
            ancestors[outside] = self.branch_parents[ancestors[outside]]
        return ancestors

    def chain_has(self, tag: str) -> tuple[BoolArray, BoolArray]:
        """Whether ``tag`` is among the merged elements, for every leaf and for every branch."""
        above = self.dom.nesting(self.dom.elements(tag))
        of_branch = above[self.branches]
        base = np.where(self.branch_parents >= 0, of_branch[self.branch_parents], 0)
        return above[self.leaves] > of_branch[self.leaf_parents], of_branch > base

    @cached_property
    def line_boundaries(self) -> IntArray:
        """For every node of ``dom``, the number of line ends between it and the previous node.

        A block-level element ends a line both at its start and at its end, ``<br>`` once.
        """
        is_line_ending = self.dom.has_tag(_LINE_ENDING)
        ends = self.dom.ends[is_line_ending]
        after = np.bincount(ends, minlength=len(self.dom) + 1)[:-1]
        return is_line_ending.astype(np.int32) + after.astype(np.int32)

    @cached_property
    def paths(self) -> IntArray:
        """For every leaf, a number shared by leaves with the same path of tags and classes."""
        numbers: dict[tuple[int, str, str], int] = {}
        path_of: list[int] = []
        dom = self.dom
        for tag, attributes, parent in zip(
            dom.tags, dom.attributes, dom.parents.tolist(), strict=True
        ):
            above = path_of[parent] if parent >= 0 else -1
            classes = (attributes.get("class") or "") if attributes else ""
            path_of.append(numbers.setdefault((above, tag, classes), len(numbers)))
        return np.array(path_of, dtype=np.int32)[self.leaves]


def collapse(dom: Dom) -> CollapsedDom:
    """The collapsed tree of a page."""
    n = len(dom)
    in_field = dom.covered(np.flatnonzero(dom.has_tag(_FORM_FIELDS)))
    is_leaf = dom.has_text & dom.visible & ~in_field

    holds_text = dom.subtree_sums(is_leaf.astype(np.int32)) > 0
    holds_text[0] = False  # the root is not a child
    children = np.bincount(dom.parents[holds_text], minlength=n)
    is_branch = children >= 2
    if not is_branch.any():
        is_branch[0] = True

    leaves = np.flatnonzero(is_leaf).astype(np.int32)
    branches = np.flatnonzero(is_branch).astype(np.int32)
    nearest = dom.nearest(is_branch)
    number = np.cumsum(is_branch, dtype=np.int32) - 1
    branch_parents = np.full(len(branches), -1, dtype=np.int32)
    branch_parents[1:] = number[nearest[dom.parents[branches[1:]]]]
    return CollapsedDom(
        dom=dom,
        leaves=leaves,
        branches=branches,
        leaf_parents=number[nearest[leaves]],
        branch_parents=branch_parents,
    )

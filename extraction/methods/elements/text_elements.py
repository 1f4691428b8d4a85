"""The text elements of a page: the units that are classified as main content or noise.

Yunis classifies list items, headings, and those ``p``, ``div`` and table cells that contain no
other such elements. Text elsewhere (a quotation, a definition list, text directly in a ``div`` that
also contains paragraphs) would not be classified at all, so the nearest block-level element around
such text is classified, too, as kind ``other``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.dom import Dom
from corpus_commons.markup.tags import CELLS, HEADINGS
from corpus_commons.markup.tree import IntArray

KINDS: Final = ("p", "div", "cell", "li", "heading", "other")
OTHER: Final = KINDS.index("other")
_LEAF_KIND: Final = {"p": 0, "div": 1} | dict.fromkeys(CELLS, 2)
_FREE_KIND: Final = {"li": 3} | dict.fromkeys(HEADINGS, 4)
_CONTENT: Final = frozenset(_LEAF_KIND) | frozenset(_FREE_KIND)


@dataclass(frozen=True, eq=False)
class TextElements:
    """The elements with visible text of their own, in the order of that text.

    dom: the page.
    nodes: the elements.
    kinds: for every element, its kind as an index into KINDS.
    element_of: for every text node that belongs to an element, its index here; -1 for other nodes.
    """

    dom: Dom
    nodes: IntArray
    kinds: IntArray
    element_of: IntArray

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def texts(self) -> list[str]:
        """The own text of every element, with white space collapsed."""
        pieces: list[list[str]] = [[] for _ in range(len(self))]
        owned = np.flatnonzero(self.element_of >= 0)
        for node, element in zip(owned.tolist(), self.element_of[owned].tolist(), strict=True):
            pieces[element].append(self.dom.texts[node])
        return [" ".join(" ".join(parts).split()) for parts in pieces]

    def own_sums(self, values: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """For every element, the sum of the values of its own text nodes.

        values: one entry per node of the page.
        """
        owned = self.element_of >= 0
        return np.bincount(self.element_of[owned], values[owned], len(self)).astype(np.float64)


def text_elements(dom: Dom) -> TextElements:
    """The elements to classify: the nearest block-level element around each visible text node."""
    shown = np.flatnonzero(dom.is_text & dom.visible)
    has_text = np.fromiter(
        (not dom.texts[node].isspace() and dom.texts[node] != "" for node in shown.tolist()),
        np.bool_,
        len(shown),
    )
    texts = shown[has_text]
    holders = dom.containers[texts]
    holders[holders < 0] = 0
    nodes, first_positions, inverse = np.unique(holders, return_index=True, return_inverse=True)
    by_text = np.argsort(first_positions, kind="stable")
    rank = np.empty(len(nodes), dtype=np.int32)
    rank[by_text] = np.arange(len(nodes), dtype=np.int32)
    element_of = np.full(len(dom), -1, dtype=np.int32)
    element_of[texts] = rank[inverse]
    nodes = nodes[by_text].astype(np.int32)
    return TextElements(dom, nodes, _kinds(dom, nodes), element_of)


def _kinds(dom: Dom, nodes: IntArray) -> IntArray:
    content = dom.has_tag(_CONTENT).astype(np.int32)
    descendants = dom.subtree_sums(content) - content
    kinds = np.full(len(nodes), OTHER, dtype=np.int32)
    for element, node in enumerate(nodes.tolist()):
        tag = dom.tags[node]
        if tag in _FREE_KIND:
            kinds[element] = _FREE_KIND[tag]
        elif tag in _LEAF_KIND and not descendants[node]:
            kinds[element] = _LEAF_KIND[tag]
    return kinds

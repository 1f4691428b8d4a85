"""Victor's blocks: a page is cut at every tag, so each visible text node is a block."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from corpus_commons.markup.dom import Dom
from corpus_commons.markup.measures import Counts
from corpus_commons.markup.tree import BoolArray, IntArray


@dataclass(frozen=True, eq=False)
class TextBlocks:
    """The blocks of one page in document order.

    dom: the page. nodes: the text node of every block. texts: its text, white space collapsed.
    """

    dom: Dom
    nodes: IntArray
    texts: list[str]

    def __len__(self) -> int:
        return len(self.texts)

    def nearest(self, tag: str) -> IntArray:
        """For every block, its nearest ancestor of that name; -1 if none."""
        return self.dom.nearest(self.dom.has_tag({tag}))[self.nodes]

    def tags_before(self, elements: BoolArray) -> Counts:
        """For every block, how many start and end tags of these elements come before it."""
        # A start tag precedes its node; an end tag precedes the first node after the subtree.
        ends = np.sort(self.dom.ends[elements])
        begun = np.searchsorted(np.flatnonzero(elements), self.nodes)
        return begun + np.searchsorted(ends, self.nodes, side="right")


def cut(dom: Dom) -> TextBlocks:
    """The text nodes that are visible and not blank.

    Victor also cuts at inline elements (Spousta et al. 2008, section 3.1): a link inside a sentence
    is a *continuation*.
    """
    candidates = np.flatnonzero(dom.is_text & dom.visible)
    texts = [" ".join(dom.texts[node].split()) for node in candidates.tolist()]
    full = np.fromiter(map(bool, texts), np.bool_, len(texts))
    return TextBlocks(dom, candidates[full].astype(np.int32), [text for text in texts if text])

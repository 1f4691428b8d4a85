"""Victor's blocks: a page is cut at every tag, so each visible text node is a block."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corpus_commons.markup.dom import Dom, IntArray
from corpus_commons.markup.tags import TEXT


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

    @property
    def tag_names(self) -> tuple[str, ...]:
        """The names of all elements of the page."""
        return tuple(self._elements)

    def elements(self, *tags: str) -> IntArray:
        """The elements with one of these names, as ascending indices into ``dom``."""
        found = [self._elements[tag] for tag in tags if tag in self._elements]
        if len(found) == 1:
            return found[0]
        return np.sort(np.concatenate(found)) if found else np.zeros(0, dtype=np.int32)

    def nearest(self, tag: str) -> IntArray:
        """For every block, its nearest ancestor of that name; -1 if none."""
        is_tag = np.zeros(len(self.dom), dtype=np.bool_)
        is_tag[self.elements(tag)] = True
        return self.dom.nearest(is_tag)[self.nodes]

    @cached_property
    def _elements(self) -> dict[str, IntArray]:
        by_tag: dict[str, list[int]] = {}
        for node, tag in enumerate(self.dom.tags):
            if tag is not TEXT:
                by_tag.setdefault(tag, []).append(node)
        return {tag: np.array(nodes, dtype=np.int32) for tag, nodes in by_tag.items()}


def cut(dom: Dom) -> TextBlocks:
    """The text nodes that are visible and not blank.

    Victor also cuts at inline elements (Spousta et al. 2008, section 3.1): a link inside a sentence
    is a *continuation*.
    """
    candidates = np.flatnonzero(dom.is_text & dom.visible)
    texts = [" ".join(dom.texts[node].split()) for node in candidates.tolist()]
    full = np.fromiter(map(bool, texts), np.bool_, len(texts))
    return TextBlocks(dom, candidates[full].astype(np.int32), [text for text in texts if text])

"""The text nodes of a page that a method keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from extraction.page.segmentation import segment

if TYPE_CHECKING:
    from corpus_commons.markup.tree import BoolArray
    from extraction.page.blocks import Block
    from extraction.page.segmentation import Segmentation


@dataclass(frozen=True, eq=False, slots=True)
class Selection:
    """Kept text nodes, and the blocks they belong to.

    segmentation: the blocks of the whole page; if there are no probabilities, perhaps only those of
        the kept text.
    kept: for every node, whether its text is kept.
    probabilities: for every block, that it is main content; None if the method gives none.
    """

    segmentation: Segmentation
    kept: BoolArray
    probabilities: list[float] | None = None

    def blocks(self) -> tuple[Block, ...]:
        """The blocks with kept text in reading order; see ``Segmentation.kept_blocks``."""
        return self.segmentation.kept_blocks(self.kept, self.probabilities)

    def over_page(self) -> Selection:
        """The same text, with all blocks of the visible page."""
        if self.probabilities is not None:
            return self
        kept = self.kept & (self.segmentation.block_of >= 0)
        dom = self.segmentation.dom
        return Selection(segment(dom, dom.visible | kept), kept)

    def has_kept(self) -> BoolArray:
        """For every block, whether any of its text is kept."""
        block_of = self.segmentation.block_of
        kept = np.zeros(len(self.segmentation), dtype=np.bool_)
        kept[block_of[self.segmentation.dom.has_text & self.kept & (block_of >= 0)]] = True
        return kept

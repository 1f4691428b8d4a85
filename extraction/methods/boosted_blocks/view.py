"""A page as the blocks that are decided upon."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from extraction.methods.boosted_blocks.weights import weights_of
from extraction.page.segmentation import segment

if TYPE_CHECKING:
    from corpus_commons.markup.characters import Integers
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray, IntArray
    from extraction.methods.boosted_blocks.arrays import Floats, Singles
    from extraction.page.segmentation import Segmentation
    from extraction.page_marks import Hashes

_COPIED_WORDS = 3
# A copy is at most _COPIED_CLOSE blocks after the first, or has at least _COPIED_TOGETHER words
# together with those neighbours, up to _COPIED_BESIDE on each side, that are equal for both.
_COPIED_CLOSE = 8
_COPIED_BESIDE = 4
_COPIED_TOGETHER = 8


@dataclass(frozen=True, eq=False)
class PageView:
    """A page with at least one block.

    segmentation: its blocks, including hidden ones. The other fields have one entry per block:
    texts: its text, never empty.
    words: their number.
    link_density: the share of its characters that are in links.
    places: a hash of the elements around it.
    """

    segmentation: Segmentation
    texts: list[str]
    words: Singles
    link_density: Singles
    places: Hashes

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def dom(self) -> Dom:
        return self.segmentation.dom

    @cached_property
    def weights(self) -> Floats:
        """The weight of every block in a decision: its words, but never 0."""
        return weights_of(self.words)

    @cached_property
    def kinds(self) -> npt.NDArray[np.str_]:
        """The ``BlockKind`` of every block."""
        return np.array(self.segmentation.kinds)

    @cached_property
    def shown(self) -> BoolArray:
        """Whether a block is shown, and not hidden by attributes or style."""
        return self.dom.visible[self.segmentation.firsts]

    @cached_property
    def written(self) -> BoolArray:
        """Whether a block is written; "Click to expand" is not."""
        texts = self.segmentation.transcribed()
        firsts = self.segmentation.firsts.tolist()
        return np.array([texts.get(node) != "" for node in firsts], dtype=np.bool_)

    @cached_property
    def containers(self) -> IntArray:
        """The nearest block-level element around every block; the root if there is none."""
        return np.maximum(self.segmentation.containers, 0)

    @cached_property
    def copies(self) -> Integers:
        """For every block, the first block that it is a copy of; the block itself if there is none.

        Pages have some parts twice, for small and large screens, and some names for readers and for
        screen readers. A repetition within the same part is no copy: it is intended, as the refrain
        of a song is. Nor are code, cells of data, texts of very few words, and short texts that are
        far from the first and have other neighbours, such as labels and list items.
        """
        parents = self.dom.parents
        parts = parents[np.maximum(parents[self.containers], 0)].tolist()
        texts = [text.lower() for text in self.texts]
        times: Counter[tuple[str, int]] = Counter()
        firsts: dict[tuple[str, int], int] = {}
        copies = np.arange(len(self))
        may_be_copy = (self.words >= _COPIED_WORDS) & (self.kinds != "code")
        may_be_copy &= np.array(self.segmentation.rows) < 0
        for block in np.flatnonzero(may_be_copy).tolist():
            text = texts[block]
            times[text, parts[block]] += 1
            first = firsts.setdefault((text, times[text, parts[block]]), block)
            is_close = block - first <= _COPIED_CLOSE
            if is_close or self._copied_words(texts, first, block) >= _COPIED_TOGETHER:
                copies[block] = first
        return copies

    def _copied_words(self, texts: list[str], first: int, second: int) -> float:
        """The words of the second block, and of its neighbours that equal those of the first."""
        words = float(self.words[second])
        for step in (1, -1):
            for distance in range(step, step * _COPIED_BESIDE + step, step):
                left, right = first + distance, second + distance
                if left < 0 or right == len(texts) or texts[left] != texts[right]:
                    break
                words += float(self.words[right])
        return words


def all_blocks(dom: Dom) -> Segmentation:
    """All blocks of a page, hidden ones, too: tabs and collapsed sections may be content.

    That a block is hidden is a feature. The same goes for ``<noscript>``, which contains all of
    some forums.
    """
    return segment(dom, ~dom.covered(np.flatnonzero(dom.unseen)))

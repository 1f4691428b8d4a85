"""One page as the features see it: its blocks, their counts, and sums over every subtree."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from extraction.blocks import Segmentation, segment
from extraction.methods.boosted_blocks.characters import Characters, count
from extraction.methods.boosted_blocks.naming import Naming, naming_of

if TYPE_CHECKING:
    from markup.characters import Integers
    from markup.dom import Dom, IntArray

Floats = npt.NDArray[np.float32]
Columns = dict[str, npt.NDArray[np.generic]]

# Text in sentences: the kind of block that articles are made of.
_PROSE_WORDS = 8
_PROSE_LINK_DENSITY = 0.4
_COPIED_WORDS = 3
# A copy is no more blocks away, or has so many words with so many neighbours on both sides.
_COPIED_CLOSE = 8
_COPIED_BESIDE = 4
_COPIED_TOGETHER = 8
# No more steps than these are gone up from a block.
FAR: Final = 24


@dataclass(frozen=True, eq=False)
class PageView:
    """A page with at least one block.

    Text that style hides is a candidate, too: tabs and folded sections are hidden content, and
    the classifier is told. So is ``<noscript>``, which holds the whole of some forums.

    dom: the page.
    segmentation: its blocks, hidden ones included.
    texts: the text of every block, never empty.
    characters: what the texts are made of.
    link_density: the share of every block's characters that is inside links.
    """

    dom: Dom
    segmentation: Segmentation
    texts: list[str]
    characters: Characters
    link_density: Floats

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def containers(self) -> IntArray:
        """The nearest block-level element round every block; the root where there is none."""
        return np.maximum(self.segmentation.containers, 0)

    @cached_property
    def hosts(self) -> IntArray:
        """The element that holds the first text of every block."""
        return np.maximum(self.dom.parents[self.segmentation.firsts], 0)

    @cached_property
    def naming(self) -> Naming:
        """What its elements are called."""
        return naming_of(self.dom)

    @cached_property
    def ways_up(self) -> list[IntArray]:
        """The hosts, what is one step above each, two steps, and so on; -1 above the root."""
        # The entry added for -1 points to itself.
        parents = np.append(self.dom.parents, np.int32(-1))
        ways = [self.hosts]
        while len(ways) < FAR and (above := parents[ways[-1]]).max() >= 0:
            ways.append(above)
        return ways

    @property
    def words(self) -> Floats:
        return self.characters.words

    @cached_property
    def copies(self) -> Integers:
        """For every block the first of those that say the same in another part of the page.

        Pages hold some parts twice, for small and large screens, and some names for readers and for
        screen readers. What repeats within a part is meant to: the refrain of a song is no copy of
        itself. Nor are code, cells of data, texts of few words, and short ones that stand elsewhere
        among other neighbours: labels and lines of lists.
        """
        parents = self.dom.parents
        parts = parents[np.maximum(parents[self.containers], 0)].tolist()
        texts = [text.lower() for text in self.texts]
        times: Counter[tuple[str, int]] = Counter()
        firsts: dict[tuple[str, int], int] = {}
        copies = np.arange(len(self))
        for block in np.flatnonzero(self.words >= _COPIED_WORDS).tolist():
            if self.segmentation.kinds[block] == "code" or self.segmentation.rows[block] >= 0:
                continue
            text = texts[block]
            times[text, parts[block]] += 1
            first = firsts.setdefault((text, times[text, parts[block]]), block)
            is_close = block - first <= _COPIED_CLOSE
            if is_close or self._copied_words(texts, first, block) >= _COPIED_TOGETHER:
                copies[block] = first
        return copies

    def _copied_words(self, texts: list[str], first: int, second: int) -> float:
        """The words of a block, and of those beside it that are beside both."""
        words = float(self.words[second])
        for step in (1, -1):
            for distance in range(step, step * _COPIED_BESIDE + step, step):
                left, right = first + distance, second + distance
                if left < 0 or right == len(texts) or texts[left] != texts[right]:
                    break
                words += float(self.words[right])
        return words

    @property
    def rows(self) -> IntArray:
        """For every block its row of data; -1 for others and for what is hidden."""
        firsts = self.segmentation.firsts
        rows: IntArray = self.segmentation.data_tables.rows[firsts]
        return np.where(self.dom.visible[firsts], rows, -1)

    @cached_property
    def is_prose(self) -> npt.NDArray[np.bool_]:
        """Blocks of at least one whole sentence that are not mostly links."""
        return (
            (self.words >= _PROSE_WORDS)
            & (self.characters.sentences >= 1)
            & (self.link_density < _PROSE_LINK_DENSITY)
        )

    @cached_property
    def prose(self) -> Floats:
        """The words of prose blocks, 0 for the others."""
        return np.where(self.is_prose, self.words, np.float32(0))

    @cached_property
    def node_words(self) -> Floats:
        return self._over_subtrees(self.words)

    @cached_property
    def node_linked_words(self) -> Floats:
        return self._over_subtrees(self.link_density * self.words)

    @cached_property
    def node_prose(self) -> Floats:
        return self._over_subtrees(self.prose)

    @cached_property
    def node_blocks(self) -> Floats:
        return self._over_subtrees(np.ones(len(self), dtype=np.float32))

    @cached_property
    def node_elements(self) -> Floats:
        return self.dom.subtree_sums((~self.dom.is_text).astype(np.float64)).astype(np.float32)

    @cached_property
    def total_words(self) -> float:
        return max(float(self.node_words[0]), 1.0)

    @cached_property
    def total_prose(self) -> float:
        return max(float(self.node_prose[0]), 1.0)

    def _over_subtrees(self, values: Floats) -> Floats:
        """For every node, the sum of the blocks' values inside it."""
        own = np.zeros(len(self.dom), dtype=np.float64)
        own[self.segmentation.firsts] = values
        return self.dom.subtree_sums(own).astype(np.float32)


def view(dom: Dom) -> PageView | None:
    """The page's view; None for a page without text."""
    segmentation = segment(dom, ~dom.covered(np.flatnonzero(dom.unseen)))
    if not len(segmentation):
        return None
    # A block of characters that are not drawn has no text.
    texts = [text or " " for text in segmentation.texts]
    return PageView(dom, segmentation, texts, count(texts), _link_density(segmentation))


def _link_density(segmentation: Segmentation) -> Floats:
    dom = segmentation.dom
    nodes = np.flatnonzero(segmentation.block_of >= 0)
    blocks = segmentation.block_of[nodes]
    lengths = dom.lengths[nodes]
    in_link = dom.links[nodes] >= 0
    total = np.bincount(blocks, lengths, len(segmentation))
    linked = np.bincount(blocks, lengths * in_link, len(segmentation))
    return (linked / np.maximum(total, 1)).astype(np.float32)

"""The data that the features are computed from: blocks, their counts, and sums over subtrees."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from extraction.methods.boosted_blocks.characters import Characters, count
from extraction.methods.boosted_blocks.naming import Naming, naming_of
from extraction.methods.boosted_blocks.places import places_of
from extraction.page.segmentation import Segmentation, segment

if TYPE_CHECKING:
    from corpus_commons.markup.characters import Integers
    from corpus_commons.markup.dom import Dom, IntArray
    from extraction.site_memory import Hashes

Floats = npt.NDArray[np.float32]
Columns = dict[str, npt.NDArray[np.generic]]

# Prose is a block with at least this many words, and a smaller link density.
_PROSE_WORDS = 8
_PROSE_LINK_DENSITY = 0.4
_COPIED_WORDS = 3
# A copy is at most _COPIED_CLOSE blocks after the first, or has at least _COPIED_TOGETHER words
# together with those neighbours, up to _COPIED_BESIDE on each side, that are equal for both.
_COPIED_CLOSE = 8
_COPIED_BESIDE = 4
_COPIED_TOGETHER = 8
# The highest ancestor level looked at, counted from a block.
FAR: Final = 24


@dataclass(frozen=True, eq=False)
class PageView:
    """A page with at least one block.

    Text hidden by style has blocks, too, because tabs and collapsed sections may be content; that
    it is hidden is a feature. The same goes for ``<noscript>``, which contains all of some forums.

    dom: the page.
    segmentation: its blocks, including hidden ones.
    texts: the text of every block, never empty.
    characters: counts of the characters and words of the texts.
    link_density: the share of every block's characters that are in links.
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
        """The nearest block-level element around every block; the root if there is none."""
        return np.maximum(self.segmentation.containers, 0)

    @cached_property
    def places(self) -> Hashes:
        """For every block, a hash of the elements around it."""
        return places_of(self.containers, self.dom)

    @cached_property
    def hosts(self) -> IntArray:
        """The parent element of the first text node of every block."""
        return np.maximum(self.dom.parents[self.segmentation.firsts], 0)

    @cached_property
    def naming(self) -> Naming:
        """The names of the page's elements."""
        return naming_of(self.dom)

    @cached_property
    def ways_up(self) -> list[IntArray]:
        """The ancestors by level: the hosts, their parents, and so on; -1 above the root."""
        # The appended entry, which has the index -1, points to itself.
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
        """The words of the second block, and of its neighbours that equal those of the first."""
        words = float(self.words[second])
        for step in (1, -1):
            for distance in range(step, step * _COPIED_BESIDE + step, step):
                left, right = first + distance, second + distance
                if left < 0 or right == len(texts) or texts[left] != texts[right]:
                    break
                words += float(self.words[right])
        return words

    @cached_property
    def is_prose(self) -> npt.NDArray[np.bool_]:
        """Blocks with at least one full sentence that are not mostly links."""
        return (
            (self.words >= _PROSE_WORDS)
            & (self.characters.sentences >= 1)
            & (self.link_density < _PROSE_LINK_DENSITY)
        )

    @cached_property
    def prose(self) -> Floats:
        """The words of every prose block; 0 for other blocks."""
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
        """For every node, the sum of the values of the blocks inside it."""
        own = np.zeros(len(self.dom), dtype=np.float64)
        own[self.segmentation.firsts] = values
        return self.dom.subtree_sums(own).astype(np.float32)


def view(dom: Dom) -> PageView | None:
    """The view of a page; None if the page has no text."""
    segmentation = segment(dom, ~dom.covered(np.flatnonzero(dom.unseen)))
    if not len(segmentation):
        return None
    # A block of invisible characters has no text.
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

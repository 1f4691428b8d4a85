"""The blocks of several pages as columns, which the features are computed from.

Pages are short: most of the time of an operation on the arrays of a single one is the call itself.
"""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.forest import forest_of
from extraction.methods.boosted_blocks.characters import CharacterClass, count
from extraction.methods.boosted_blocks.places import places_of
from extraction.methods.boosted_blocks.posting import dates_of
from extraction.methods.boosted_blocks.view import PageView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpus_commons.markup.characters import Integers
    from corpus_commons.markup.tree import BoolArray, IntArray
    from extraction.methods.boosted_blocks.arrays import Singles
    from extraction.page.blocks import BlockKind
    from extraction.page.segmentation import Segmentation
    from extraction.page_marks import Hashes

Columns = dict[str, npt.NDArray[np.generic]]

# Prose is a block with at least this many words, and a smaller link density.
_PROSE_WORDS = 8
_PROSE_LINK_DENSITY = 0.4
# The highest ancestor level looked at, counted from a block.
FAR: Final = 24


class Batch:
    """The blocks of pages that have at least one each, one page after another.

    tree: the nodes of all pages; firsts, containers: of every block, among them.
    starts: the first block of every page. page_of: the page of every block, and index: its place
        among the page's.
    texts: the text of every block, never empty.
    characters: counts of the characters and words of the texts.
    link_density: the share of every block's characters that are in links.
    """

    def __init__(self, segmentations: Sequence[Segmentation]) -> None:
        self.segmentations = segmentations
        self.tree = forest_of([page.dom for page in segmentations])
        counts = np.array([*map(len, segmentations)])
        self.starts: Integers = np.cumsum(counts) - counts
        self.page_of: Integers = np.repeat(np.arange(len(counts)), counts)
        self.index: Integers = np.arange(len(self.page_of)) - self.starts[self.page_of]
        self.roots: IntArray = self.tree.roots[self.page_of]
        self.firsts: IntArray = np.concatenate([page.firsts for page in segmentations]) + self.roots
        # The nearest block-level element around every block; the root if there is none.
        containers = np.concatenate([page.containers for page in segmentations])
        self.containers: IntArray = np.maximum(containers, 0) + self.roots
        # A block of invisible characters has no text.
        self.texts = [
            text or " " for text in chain.from_iterable(page.texts for page in segmentations)
        ]
        self.characters = count(self.texts)
        self.link_density = self._link_density()

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def views(self) -> list[PageView]:
        """Each page by itself."""
        slices = map(slice, self.starts.tolist(), [*self.starts[1:].tolist(), len(self)])
        return [
            PageView(
                segmentation=page,
                texts=self.texts[own],
                words=self.words[own],
                link_density=self.link_density[own],
                places=self.places[own],
            )
            for page, own in zip(self.segmentations, slices, strict=True)
        ]

    @cached_property
    def places(self) -> Hashes:
        """For every block, a hash of the elements around it."""
        return places_of(self.containers, self.tree)

    @cached_property
    def hosts(self) -> IntArray:
        """The parent element of the first text node of every block."""
        return self.tree.parents[self.firsts]

    @cached_property
    def ways_up(self) -> list[IntArray]:
        """The ancestors by level: the hosts, their parents, and so on; -1 above a root."""
        # The appended entry, which has the index -1, points to itself.
        parents = np.append(self.tree.parents, np.int32(-1))
        ways = [self.hosts]
        while len(ways) < FAR and (above := parents[ways[-1]]).max() >= 0:
            ways.append(above)
        return ways

    @cached_property
    def up(self) -> IntArray:
        """The parent of every node; a root is its own."""
        parents = self.tree.parents
        return np.where(parents < 0, np.arange(len(parents), dtype=np.int32), parents)

    @cached_property
    def kinds(self) -> list[BlockKind]:
        return [*chain.from_iterable(page.kinds for page in self.segmentations)]

    @property
    def words(self) -> Singles:
        return self.characters.words

    @cached_property
    def is_prose(self) -> BoolArray:
        """Blocks with at least one full sentence that are not mostly links."""
        return (
            (self.words >= _PROSE_WORDS)
            & (self.characters.sentences >= 1)
            & (self.link_density < _PROSE_LINK_DENSITY)
        )

    @cached_property
    def prose(self) -> Singles:
        """The words of every prose block; 0 for other blocks."""
        return np.where(self.is_prose, self.words, np.float32(0))

    @cached_property
    def dates(self) -> Singles:
        """1 for every short block with a date, 0 for other blocks."""
        digits = self.characters.counts[:, CharacterClass.DIGIT]
        return dates_of(self.texts, self.words, digits)

    @cached_property
    def node_words(self) -> Singles:
        return self.over_subtrees(self.words)

    @cached_property
    def node_linked_words(self) -> Singles:
        return self.over_subtrees(self.link_density * self.words)

    @cached_property
    def node_prose(self) -> Singles:
        return self.over_subtrees(self.prose)

    @cached_property
    def node_blocks(self) -> Singles:
        return self.over_subtrees(np.ones(len(self), dtype=np.float32))

    @cached_property
    def node_dates(self) -> Singles:
        return self.over_subtrees(self.dates)

    @cached_property
    def node_elements(self) -> Singles:
        elements = (~self.tree.is_text).astype(np.float64)
        return self.tree.subtree_sums(elements).astype(np.float32)

    @cached_property
    def holders(self) -> IntArray:
        """The elements with a block inside them."""
        return np.flatnonzero(~self.tree.is_text & (self.node_blocks > 0)).astype(np.int32)

    @cached_property
    def page_words(self) -> Singles:
        """The words of every page, at least 1."""
        return np.maximum(self.node_words[self.tree.roots], np.float32(1))

    @cached_property
    def page_prose(self) -> Singles:
        """The words of prose of every page, at least 1."""
        return np.maximum(self.node_prose[self.tree.roots], np.float32(1))

    @property
    def total_words(self) -> Singles:
        """For every block, the words of its page."""
        return self.page_words[self.page_of]

    @property
    def total_prose(self) -> Singles:
        """For every block, the words of prose of its page."""
        return self.page_prose[self.page_of]

    def over_subtrees(self, values: Singles) -> Singles:
        """For every node, the sum of the values of the blocks inside it."""
        own = np.zeros(len(self.tree), dtype=np.float64)
        own[self.firsts] = values
        return self.tree.subtree_sums(own).astype(np.float32)

    def of_pages(self, values: npt.NDArray[np.generic]) -> npt.NDArray[np.float64]:
        """The sum over every page of values of its blocks."""
        sums: npt.NDArray[np.float64] = np.add.reduceat(values, self.starts, dtype=np.float64)
        return sums

    def running(self, values: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
        """For every block, the sum of the values up to it on its page."""
        sums = np.cumsum(values, dtype=np.float64)
        before = sums[self.starts] - values[self.starts]
        found: npt.NDArray[np.float64] = sums - before[self.page_of]
        return found

    def _link_density(self) -> Singles:
        tree = self.tree
        own = np.concatenate([page.block_of for page in self.segmentations])
        nodes = np.flatnonzero(own >= 0)
        blocks = own[nodes] + self.starts[tree.page_of[nodes]]
        lengths = tree.lengths[nodes]
        in_link = tree.links[nodes] >= 0
        total = np.bincount(blocks, lengths, len(self))
        linked = np.bincount(blocks, lengths * in_link, len(self))
        return (linked / np.maximum(total, 1)).astype(np.float32)

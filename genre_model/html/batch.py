"""The visible text of several pages as columns, which the features are computed from.

Pages are short: most of the time of an operation on the arrays of a single one is the call itself.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from corpus_commons.markup.characters import Codes, Integers
from corpus_commons.markup.forest import Forest
from corpus_commons.markup.names import PLACING
from corpus_commons.markup.tags import HEADINGS
from corpus_commons.markup.tree import BoolArray, IntArray
from genre_model.html.characters import CharacterClass, Characters, Floats, count
from genre_model.html.head import Head, heads_of
from genre_model.html.naming import GROUP_NAMES, NAMES
from genre_model.html.segments import Nodes, Numbers, between, totals

Columns = dict[str, Numbers]

# Prose is a block with at least this many words, and a smaller link density.
_PROSE_WORDS = 8
_PROSE_LINK_DENSITY = 0.4
# The most words in a line with a publication date.
_DATE_WORDS = 14
_YEAR_DIGITS = 4
_YEARS = range(1970, 2050)
_OWNED = ord("©")
_CLUTTER_TAGS = ("nav", "footer", "aside")
_CLUTTER_NAMES = sum(
    1 << GROUP_NAMES.index(name) for name in ("navigation", "footer", "sidebar", "popup")
)
# An element with a larger share of the page's words is not clutter, whatever its name.
_MOST = 0.5
_NOUGHT: Integers = np.zeros(1, dtype=np.int64)


class Batch:
    """The blocks of several pages; a block is the text directly in a block-level element.

    tree: the nodes of all pages. visible: for every node, whether it is shown.
    texts: the visible text nodes. characters: counts for each of them, of characters and words.
    is_linked: texts in links.
    blocks: the element of every block. block_of: for every text, the index of its block.
    total_words: of every page, at least 1.
    """

    def __init__(self, tree: Forest) -> None:
        self.tree = tree
        self.visible: BoolArray = np.concatenate([page.visible for page in tree.pages])
        self.texts = Nodes(tree, np.flatnonzero(self.visible & tree.has_text))
        nodes = self.texts.index
        self.characters: Characters = count(self.strings, self.texts.page_of)
        self.is_linked: BoolArray = tree.links[nodes] >= 0
        containers = tree.containers[nodes]
        roots = tree.roots[self.texts.page_of]
        elements, self.block_of = np.unique(
            np.where(containers < 0, roots, containers), return_inverse=True
        )
        self.blocks = Nodes(tree, elements)
        self.total_words: Floats = np.maximum(self.texts.sums(self.characters.words), 1)

    @cached_property
    def strings(self) -> list[str]:
        """Of every text."""
        texts, roots = self.texts, self.tree.roots
        of_pages = np.split(texts.index - roots[texts.page_of], texts.ends[:-1])
        return [
            page.texts[node]
            for page, nodes in zip(self.tree.pages, of_pages, strict=True)
            for node in nodes.tolist()
        ]

    @cached_property
    def heads(self) -> list[Head]:
        return heads_of(self.tree)

    def chosen(self, flags: BoolArray) -> Nodes:
        """The nodes with a flag."""
        return Nodes(self.tree, np.flatnonzero(flags))

    # Blocks: arrays with one entry per block, in the order of their elements.

    def over_blocks(self, values: Numbers) -> Floats:
        """For every block, the sum of the values of its texts."""
        return totals(self.block_of, values, len(self.blocks))

    @cached_property
    def block_words(self) -> Floats:
        return self.over_blocks(self.characters.words)

    @cached_property
    def block_linked(self) -> Floats:
        return self.over_blocks(self.characters.words * self.is_linked)

    @cached_property
    def block_link_density(self) -> Floats:
        return self.block_linked / np.maximum(self.block_words, 1)

    @cached_property
    def is_prose(self) -> BoolArray:
        """Blocks with at least one full sentence that are not mostly links."""
        return (
            (self.block_words >= _PROSE_WORDS)
            & (self.over_blocks(self.characters.sentences) >= 1)
            & (self.block_link_density < _PROSE_LINK_DENSITY)
        )

    @cached_property
    def block_prose(self) -> Floats:
        """The words of every prose block; 0 for other blocks."""
        return self.block_words * self.is_prose

    @cached_property
    def is_date(self) -> BoolArray:
        """Short blocks with a year or a ``<time>``."""
        years = self.tree.covered(self.tree.elements("time"))[self.texts.index]
        years[self.characters.text_of[_years(self.characters.codes)]] = True
        return (self.over_blocks(years) > 0) & (self.block_words <= _DATE_WORDS)

    @cached_property
    def is_full_date(self) -> BoolArray:
        """Dates with a year, a day or month in digits, and no copyright sign."""
        digits = self.over_blocks(self.characters.counts[:, CharacterClass.DIGIT])
        owned = np.zeros(len(digits), dtype=np.bool_)
        owners = self.characters.text_of[self.characters.codes == _OWNED]
        owned[self.block_of[owners]] = True
        return self.is_date & (digits > _YEAR_DIGITS) & ~owned

    @cached_property
    def has_price(self) -> BoolArray:
        return self.over_blocks(self.characters.prices) > 0

    @cached_property
    def is_outside(self) -> BoolArray:
        """Blocks outside clutter."""
        return ~self.in_clutter[self.blocks.index]

    # Nodes.

    def words_inside(self, nodes: Integers | IntArray) -> Floats:
        """For every one of the nodes, the words in its subtree."""
        return between(self.block_words, *self.blocks.inside(nodes))

    @cached_property
    def elements(self) -> Nodes:
        return self.chosen(~self.tree.is_text)

    @cached_property
    def holders(self) -> Nodes:
        """The elements with a block inside them."""
        is_block = np.zeros(len(self.tree), dtype=np.int32)
        is_block[self.blocks.index] = 1
        return self.chosen((self.tree.subtree_sums(is_block) > 0) & ~self.tree.is_text)

    @cached_property
    def headings(self) -> Nodes:
        """Visible headings with text."""
        nodes = np.flatnonzero(self.tree.has_tag(HEADINGS))
        return Nodes(self.tree, nodes[self.words_inside(nodes) > 0])

    @cached_property
    def pictures(self) -> Nodes:
        """Visible pictures."""
        return self.chosen(self.tree.has_tag({"img"}) & self.visible)

    @cached_property
    def links(self) -> Nodes:
        """Visible links."""
        return self.chosen(self.tree.has_tag({"a"}) & self.visible)

    @cached_property
    def names(self) -> Integers:
        """For every node, the groups that its class names and its id match, as bits."""
        return self.tree.names.groups(NAMES, len(self.tree), len(PLACING))

    @cached_property
    def in_clutter(self) -> BoolArray:
        """Nodes inside navigation, footers and the like, recognised by tags and names."""
        named = np.flatnonzero(self.names & _CLUTTER_NAMES)
        total_words = self.total_words[self.tree.page_of[named]]
        small = named[self.words_inside(named) < _MOST * total_words]
        tagged = [self.tree.elements(tag) for tag in _CLUTTER_TAGS]
        return self.tree.covered(np.unique(np.concatenate((small, *tagged))))

    def shares_inside(self, elements: Integers, kinds: Integers, count: int) -> Floats:
        """(kinds, pages): the share of a page's words inside any of its elements of a kind.

        elements, kinds: of the same length, sorted by kind, then ascending. count: of kinds.
        """
        before = self._words_before
        # Offsets separate the kinds, so that all are processed in one pass.
        offsets = kinds * len(before)
        stops = np.maximum.accumulate(self.tree.ends[elements] + offsets)
        # Of nested elements, only the outermost one counts.
        starts = np.maximum(elements + offsets, np.concatenate((_NOUGHT, stops))[: len(stops)])
        words = before[stops - offsets] - before[np.minimum(starts, stops) - offsets]
        pages = len(self.tree.pages)
        cells = kinds * pages + self.tree.page_of[elements]
        return np.bincount(cells, words, count * pages).reshape(count, pages) / self.total_words

    @cached_property
    def _words_before(self) -> Floats:
        words = np.zeros(len(self.tree) + 1)
        words[self.texts.index + 1] = self.characters.words
        return np.cumsum(words)


def _years(codes: Codes) -> Integers:
    """The positions of four digits that are a year, with no digit next to them."""
    starts = np.flatnonzero((codes == ord("1")) | (codes == ord("2")))
    # Index -1, the character before the first, is the last one, which is not a digit.
    places = np.minimum(starts[:, None] + np.arange(-1, _YEAR_DIGITS + 1), len(codes) - 1)
    around = codes[places].astype(np.int64) - ord("0")
    is_digit = (around >= 0) & (around <= 9)
    years = around[:, 1:-1] @ np.array((1000, 100, 10, 1))
    named = is_digit[:, 1:-1].all(axis=1) & ~is_digit[:, 0] & ~is_digit[:, -1]
    found: Integers = starts[named & (years >= _YEARS.start) & (years < _YEARS.stop)]
    return found

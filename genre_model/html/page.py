"""The data that the features are computed from: blocks of text, and sums over subtrees."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from corpus_commons.markup.characters import Codes, Integers
from corpus_commons.markup.dom import Dom
from corpus_commons.markup.tags import HEADINGS
from corpus_commons.markup.tree import BoolArray, IntArray
from genre_model.html.characters import CharacterClass, Characters, Floats, count
from genre_model.html.naming import GROUP_NAMES, NAMES, build_of

# Prose is a block with at least this many words, and a smaller link density.
_PROSE_WORDS = 8
_PROSE_LINK_DENSITY = 0.4
# The most words in a line with a publication date.
_DATE_WORDS = 14
_YEAR_DIGITS = 4
_YEARS = range(1970, 2050)
_OWNED = ord("©")
_CLUTTER_TAGS = ("nav", "footer", "aside")
_CLUTTER_NAMES = ("navigation", "footer", "sidebar", "popup")
# An element with a larger share of the page's words is not clutter, whatever its name.
_MOST = 0.5
_NOUGHT: Integers = np.zeros(1, dtype=np.int64)
_BITS = np.arange(len(GROUP_NAMES))


class Page:
    """The visible text of a page in blocks; a block is the text directly in a block-level element.

    dom: the page.
    link_of: for every node of the page, the link around it; -1 if none.
    nodes: its visible text nodes; arrays about texts have one entry for each.
    characters: the counts of characters and words. linked_words: the words in links.
    block_of: for every text, the index of its block.
    block_elements: the element of every block, ascending.
    named_nodes: elements with a name in any group; named_groups: (named nodes, groups).
    builds: for every node, a number that elements with the same tag and classes share; see
        ``build_of``.
    """

    def __init__(self, dom: Dom) -> None:
        self.dom = dom
        self.link_of: IntArray = dom.links
        self.nodes: Integers = np.flatnonzero(dom.visible & dom.has_text)
        self.characters: Characters = count([dom.texts[node] for node in self.nodes.tolist()])
        self.total_words = max(float(self.characters.words.sum()), 1.0)
        is_linked = self.link_of[self.nodes] >= 0
        self.linked_words: Floats = np.where(is_linked, self.characters.words, 0.0)
        containers = np.maximum(dom.containers[self.nodes], 0)
        elements, self.block_of = np.unique(containers, return_inverse=True)
        self.block_elements: Integers = elements.astype(np.int64)
        self.named_nodes, self.named_groups, self.builds = _read_names(dom)

    # Blocks: arrays with one entry per block, in the order of their elements.

    def over_blocks(self, values: Floats) -> Floats:
        """For every block, the sum of the values of its texts."""
        return np.bincount(self.block_of, values, len(self.block_elements)).astype(np.float64)

    @cached_property
    def block_words(self) -> Floats:
        return self.over_blocks(self.characters.words)

    @cached_property
    def block_linked(self) -> Floats:
        return self.over_blocks(self.linked_words)

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
        return np.where(self.is_prose, self.block_words, 0.0)

    @cached_property
    def is_date(self) -> BoolArray:
        """Short blocks with a year or a ``<time>``."""
        years = np.zeros(len(self.nodes), dtype=np.bool_)
        years[self.characters.text_of[_years(self.characters.codes)]] = True
        years |= self.dom.covered(self.elements("time"))[self.nodes]
        named: BoolArray = self.over_blocks(years.astype(np.float64)) > 0
        return named & (self.block_words <= _DATE_WORDS)

    @cached_property
    def is_full_date(self) -> BoolArray:
        """Dates with a year, a day or month in digits, and no copyright sign."""
        counts = self.characters.counts
        digits = self.over_blocks(counts[:, CharacterClass.DIGIT])
        owners = np.zeros(len(self.nodes))
        owners[self.characters.text_of[self.characters.codes == _OWNED]] = 1
        owned: BoolArray = self.over_blocks(owners) > 0
        return self.is_date & (digits > _YEAR_DIGITS) & ~owned

    @cached_property
    def has_price(self) -> BoolArray:
        return self.over_blocks(self.characters.prices) > 0

    # Sums over subtrees: arrays with one entry per node of the page.

    def over_subtrees(self, block_values: Floats) -> Floats:
        """For every node, the sum over the blocks inside it."""
        own = np.zeros(len(self.dom), dtype=np.float64)
        own[self.block_elements] = block_values
        return self.dom.subtree_sums(own)

    def count_in_subtrees(self, chosen: BoolArray) -> Floats:
        """For every node, the number of chosen nodes in its subtree."""
        return self.dom.subtree_sums(chosen.astype(np.float64))

    @cached_property
    def words(self) -> Floats:
        return self.over_subtrees(self.block_words)

    @cached_property
    def linked(self) -> Floats:
        return self.over_subtrees(self.block_linked)

    @cached_property
    def prose(self) -> Floats:
        return self.over_subtrees(self.block_prose)

    @cached_property
    def blocks(self) -> Floats:
        return self.over_subtrees(np.ones(len(self.block_elements)))

    @cached_property
    def is_element(self) -> BoolArray:
        return ~self.dom.is_text

    @cached_property
    def is_heading(self) -> BoolArray:
        """Visible headings with text."""
        return self.dom.has_tag(HEADINGS) & (self.words > 0)

    @cached_property
    def in_heading(self) -> BoolArray:
        """Nodes in a heading, and headings."""
        return self.dom.covered(np.flatnonzero(self.dom.has_tag(HEADINGS)))

    @cached_property
    def is_picture(self) -> BoolArray:
        return self.dom.has_tag({"img"}) & self.dom.visible

    @cached_property
    def is_link(self) -> BoolArray:
        return self.dom.has_tag({"a"}) & self.dom.visible

    # Tags and names.

    def elements(self, tag: str) -> IntArray:
        """The elements of a tag, ascending."""
        return self.dom.elements(tag)

    @cached_property
    def title(self) -> str:
        """The text of ``<title>``."""
        titles = self.elements("title")[:1].tolist()
        return " ".join(self.dom.texts[titles[0] : self.dom.ends[titles[0]]]) if titles else ""

    @cached_property
    def description(self) -> str:
        """The content of ``<meta name="description">``."""
        for node in self.elements("meta").tolist():
            attributes = self.dom.attributes[node]
            if (attributes.get("name") or "").lower() == "description":
                return attributes.get("content") or ""
        return ""

    @cached_property
    def _words_before(self) -> Floats:
        words = np.zeros(len(self.dom) + 1)
        words[self.nodes + 1] = self.characters.words
        return np.cumsum(words)

    def shares_inside(self, elements: Integers, kinds: Integers, count: int) -> Floats:
        """For every kind, the share of the page's words inside any of its elements.

        elements, kinds: of the same length, sorted by kind, then ascending. count: of kinds.
        """
        before = self._words_before
        # Offsets separate the kinds, so that all are processed in one pass.
        offsets = kinds * len(before)
        stops = np.maximum.accumulate(self.dom.ends[elements] + offsets)
        # Of nested elements, only the outermost one counts.
        starts = np.maximum(elements + offsets, np.concatenate((_NOUGHT, stops))[: len(stops)])
        words = before[stops - offsets] - before[np.minimum(starts, stops) - offsets]
        return np.bincount(kinds, words, count) / self.total_words

    @cached_property
    def in_clutter(self) -> BoolArray:
        """Nodes inside navigation, footers and the like, recognised by tags and names."""
        columns = [GROUP_NAMES.index(name) for name in _CLUTTER_NAMES]
        named = self.named_nodes[self.named_groups[:, columns].any(axis=1)]
        small = named[self.words[named] < _MOST * self.total_words]
        tagged = [self.elements(tag) for tag in _CLUTTER_TAGS]
        return self.dom.covered(np.concatenate((small, *tagged)))


def _read_names(dom: Dom) -> tuple[Integers, BoolArray, Integers]:
    """``Page.named_nodes``, ``named_groups`` and ``builds``.

    All names are read in one pass: there are thousands of elements.
    """
    groups = np.zeros(len(dom), dtype=np.int64)
    classes = dom.attribute("class")
    for attribute in (classes, dom.attribute("id")):
        bits = np.array([NAMES.bits_of(value) for value in attribute.values], dtype=np.int64)
        groups[attribute.nodes] |= bits[attribute.codes]
    # The build of elements without a class.
    number_of = {"": 0}
    numbers = [number_of.setdefault(build_of(value), len(number_of)) for value in classes.values]
    builds = np.zeros(len(dom), dtype=np.int64)
    builds[classes.nodes] = np.array(numbers, dtype=np.int64)[classes.codes]
    named = np.flatnonzero(groups)
    tags, codes = dom.tag_codes
    return named, (groups[named, None] >> _BITS & 1).astype(np.bool_), builds * len(tags) + codes


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

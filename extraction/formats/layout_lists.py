"""Lists that lay out a page instead of listing anything.

Threads, front pages and whole articles are items of lists on many sites. Marked as items, a thread
would be one list, and all paragraphs of a post but the first would be indented.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from corpus_commons.markup.measures import words_in

if TYPE_CHECKING:
    import numpy.typing as npt

    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray, IntArray

    Nodes = npt.NDArray[np.integer]
    Sums = npt.NDArray[np.float64]

_BULLETED: Final = frozenset(("ul", "menu", "dir"))
_LISTS: Final = _BULLETED | {"ol"}
_BOXES: Final = frozenset(("article", "div", "section", "table"))
# The means of the items of a list that lays out most of the text.
_BLOCKS: Final = 3
_WORDS: Final = 60
# Where items hold articles, such as posts.
_WORDS_OF_ARTICLES: Final = 30


def layout_lists(dom: Dom, firsts: IntArray, texts: list[str], posts: BoolArray) -> BoolArray:
    """For every node, whether it is a list that lays out the page, or an item of one.

    These are lists of boxes that hold most of the text, if their items are long; lists of posts;
    lists with the page's only ``<h1>``; and lists without numbers of nothing but other lists.

    firsts: the first text node of every kept block. texts: their texts.
    posts: for every node, whether it is a post.
    """
    items = dom.elements("li")
    if not len(items) or not len(firsts):
        return np.zeros(len(dom), dtype=np.bool_)
    is_item = dom.has_tag({"li"})
    # Of items without a list it is -1.
    list_of = dom.nearest(dom.has_tag(_LISTS))

    def inside(nodes: Nodes, values: list[int] | None = None) -> Sums:
        """For every node, the number of these nodes in it, or the sum of their values."""
        return dom.subtree_sums(np.bincount(nodes, values, len(dom)).astype(np.float64))

    def of_items(sums: Sums | BoolArray) -> Sums:
        """For every node that is a list, the sum over its items."""
        return np.bincount(list_of[items] + 1, sums[items], len(dom) + 1)[1:].astype(np.float64)

    blocks = inside(firsts)
    said = inside(firsts, [len(words_in(text)) for text in texts])
    titles = inside(firsts[dom.nearest(dom.has_tag({"h1"}))[firsts] >= 0])
    count, length = of_items(blocks > 0), of_items(said)
    has_boxes = of_items(inside(np.flatnonzero(dom.has_tag(_BOXES)))) > 0
    has_articles = of_items(inside(dom.elements("article"))) > 0
    is_long = (of_items(blocks) >= _BLOCKS * count) & (length >= _WORDS * count)
    is_long |= has_articles & (length >= _WORDS_OF_ARTICLES * count)
    own_items = dom.nearest(is_item)[firsts]
    own = np.bincount(list_of[own_items[own_items >= 0]] + 1, minlength=len(dom) + 1)[1:]

    lays_out = has_boxes & is_long & (2 * length >= said[0])
    lays_out |= of_items(inside(np.flatnonzero(posts)) > 0) >= count
    lays_out |= (titles[0] == 1) & (of_items(titles) == 1)
    lays_out |= dom.has_tag(_BULLETED) & (own == 0)
    lays_out &= count > 0
    # Items without a list have the index -1, which is the appended entry.
    chosen: BoolArray = lays_out | (is_item & np.append(lays_out, False)[list_of])
    return chosen

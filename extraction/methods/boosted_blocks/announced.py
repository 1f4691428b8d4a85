"""What is announced: the list, table, quotation or listing after a kept colon, and the list inside
an item of which nothing but a kept line stands before it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from corpus_commons.markup.tags import LIST_ITEMS
from extraction.methods.boosted_blocks.characters import COLONS

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray
    from extraction.methods.boosted_blocks.arrays import Floats
    from extraction.methods.boosted_blocks.view import PageView

_STRUCTURES: Final = frozenset(("blockquote", "dl", "ol", "table", "ul"))
# The least mean probability of what is announced.
_LEAST: Final = 0.05


def with_announced(kept: BoolArray, probabilities: Floats, page: PageView) -> BoolArray:
    """The kept blocks, and all of a structure of which none or some follow what announces it.

    One that is mostly links, such as a table of contents, leads elsewhere.
    """
    kept = kept.copy()
    for before, following in pairwise(np.flatnonzero(page.shown).tolist()):
        if not kept[before]:
            continue
        is_colon = page.texts[before][-1] in COLONS
        if is_colon or _begins_item_around(following, before, page):
            blocks = _structure(following, page)
            weights = page.weights[blocks]
            is_likely = weights @ probabilities[blocks] >= _LEAST * weights.sum()
            if is_likely and weights @ page.link_density[blocks] <= weights.sum() / 2:
                kept[blocks] |= page.shown[blocks]
    return kept


def _begins_item_around(inner: int, block: int, page: PageView) -> bool:
    """Whether the block begins an item that holds the item of the inner block."""
    kinds, firsts = page.segmentation.kinds, page.segmentation.firsts
    if kinds[block] != "list-item" or kinds[inner] != "list-item":
        return False
    item, inner_item = _item(block, page), _item(inner, page)
    is_first = block == 0 or int(firsts[block - 1]) < item
    return is_first and item < inner_item < int(page.dom.ends[item])


def _item(block: int, page: PageView) -> int:
    node = int(page.segmentation.firsts[block])
    while page.dom.tags[node] not in LIST_ITEMS:
        node = int(page.dom.parents[node])
    return node


def _structure(block: int, page: PageView) -> slice:
    """The blocks of the outermost structure that begins with this block; none if it begins none."""
    dom, firsts = page.dom, page.segmentation.firsts
    node = int(dom.parents[firsts[block]])
    before = int(firsts[block - 1])
    found = -1
    while node > before:
        if dom.tags[node] in _STRUCTURES or _is_listing(node, dom):
            found = node
        node = int(dom.parents[node])
    if found < 0:
        return slice(block, block)
    return slice(block, int(np.searchsorted(firsts, dom.ends[found])))


def _is_listing(node: int, dom: Dom) -> bool:
    return bool(dom.preformatted[node]) and dom.tags[node] != "textarea"

"""What a text announces: the list, table, quotation or listing after a kept colon."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray
    from extraction.methods.boosted_blocks.decoding import Floats
    from extraction.methods.boosted_blocks.view import PageView

_COLONS: Final = (":", "：")
_STRUCTURES: Final = frozenset(("blockquote", "dl", "ol", "table", "ul"))
# The least mean probability of what is announced.
_LEAST: Final = 0.05


def with_announced(kept: BoolArray, probabilities: Floats, page: PageView) -> BoolArray:
    """The kept blocks, and all of a structure of which none or some follow a kept colon.

    One that is mostly links, such as a table of contents, leads elsewhere.
    """
    kept = kept.copy()
    for colon, following in pairwise(np.flatnonzero(page.shown).tolist()):
        if kept[colon] and page.texts[colon].rstrip().endswith(_COLONS):
            blocks = _structure(following, page)
            weights = page.weights[blocks]
            is_likely = weights @ probabilities[blocks] >= _LEAST * weights.sum()
            if is_likely and weights @ page.link_density[blocks] <= weights.sum() / 2:
                kept[blocks] |= page.shown[blocks]
    return kept


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

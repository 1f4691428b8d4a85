"""What a text announces: the list, table, quotation or listing after a kept colon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from extraction.methods.boosted_blocks.decoding import LEAST_WORDS

if TYPE_CHECKING:
    from corpus_commons.markup.tree import BoolArray
    from extraction.methods.boosted_blocks.decoding import Floats
    from extraction.methods.boosted_blocks.view import PageView

_COLONS: Final = (":", "：")
_STRUCTURES: Final = frozenset(("blockquote", "dl", "ol", "pre", "table", "ul"))
# The least mean probability of what is announced.
_LEAST: Final = 0.05


def with_announced(kept: BoolArray, probabilities: Floats, page: PageView) -> BoolArray:
    """The kept blocks, and all of a structure of which none or some follow a kept colon.

    One that is mostly links, such as a table of contents, leads elsewhere.
    """
    kept = kept.copy()
    weights = np.maximum(page.words.astype(np.float64), LEAST_WORDS)
    shown = page.dom.visible[page.segmentation.firsts]
    places = np.flatnonzero(shown)
    for colon, following in zip(places[:-1].tolist(), places[1:].tolist(), strict=True):
        if kept[colon] and page.texts[colon].rstrip().endswith(_COLONS):
            blocks = _structure(following, page)
            its = weights[blocks]
            if (its * probabilities[blocks]).sum() >= _LEAST * its.sum() and (
                its * page.link_density[blocks]
            ).sum() <= its.sum() / 2:
                kept[blocks] |= shown[blocks]
    return kept


def _structure(block: int, page: PageView) -> slice:
    """The blocks of the outermost structure that begins with this block; none if it begins none."""
    dom, firsts = page.dom, page.segmentation.firsts
    node = int(dom.parents[firsts[block]])
    before = int(firsts[block - 1])
    found = -1
    while node > before:
        if dom.tags[node] in _STRUCTURES:
            found = node
        node = int(dom.parents[node])
    if found < 0:
        return slice(block, block)
    return slice(block, int(np.searchsorted(firsts, dom.ends[found])))

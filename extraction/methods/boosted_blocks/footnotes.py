"""Footnotes: blocks that a text links to, and that link back to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from extraction.page.inner_links import inner_links

if TYPE_CHECKING:
    import numpy.typing as npt

    from corpus_commons.markup.tree import BoolArray, IntArray
    from extraction.methods.boosted_blocks.view import PageView


def footnotes(kept: BoolArray, page: PageView) -> BoolArray:
    """The dropped blocks that a kept one before them links to, if these link back.

    Of a note of several blocks, it is the first.
    """
    found = np.zeros(len(page), dtype=np.bool_)
    origins, targets = inner_links(page.dom)
    if not len(origins):
        return found
    from_blocks, to_blocks = _blocks_at(origins, page), _blocks_at(targets, page)
    # A link at the end of a note is a link of its first block.
    is_target = np.zeros(len(page.dom), dtype=np.bool_)
    is_target[targets] = True
    around = page.dom.nearest(is_target)[origins]
    of_notes = _blocks_at(np.where(around >= 0, around, origins), page)
    back = {*_pairs(from_blocks, to_blocks), *_pairs(of_notes, to_blocks)}
    for text, note in set(_pairs(from_blocks, to_blocks)):
        if text < note and kept[text] and not kept[note] and (note, text) in back:
            found[note] = True
    return found


def _blocks_at(nodes: IntArray, page: PageView) -> npt.NDArray[np.int32]:
    """The block of the first text at or after each node; the last one if there is none."""
    block_of = page.segmentation.block_of
    texts = np.flatnonzero(block_of >= 0)
    return block_of[texts[np.minimum(np.searchsorted(texts, nodes), len(texts) - 1)]]


def _pairs(left: IntArray, right: IntArray) -> list[tuple[int, int]]:
    return list(zip(left.tolist(), right.tolist(), strict=True))

"""The blocks of a page that was read, kept and dropped, to be shown to people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from corpus_commons.markup.dom import Dom
from corpus_commons.markup.tags import BLOCK_LEVEL
from extraction.page.selection import Selection

MOST_BLOCKS: Final = 1_500
MOST_CHARACTERS: Final = 50_000
# Of the elements around a block; those that say little are left out.
_SHOWN_ELEMENTS: Final = BLOCK_LEVEL - {"html", "body", "div"}
_MOST_ELEMENTS: Final = 4
_MOST_STEPS: Final = 30


class PageBlock(NamedTuple):
    """A block of text.

    elements: the block-level ones around it, each once, the outermost first; at most four.
    kept: whether it is, or a part of it is, in the text of the document.
    """

    text: str
    elements: tuple[str, ...]
    kept: bool


class PageBlocks(NamedTuple):
    """The blocks of a page in its order; hidden ones only if they were kept.

    is_whole: whether these are all; at most MOST_BLOCKS with MOST_CHARACTERS are told.
    """

    blocks: tuple[PageBlock, ...]
    is_whole: bool

    @classmethod
    def of(cls, selection: Selection) -> PageBlocks:
        blocks: list[PageBlock] = []
        room = MOST_CHARACTERS
        for block in _blocks(selection.over_page()):
            if room <= 0 or len(blocks) == MOST_BLOCKS:
                return cls(tuple(blocks), is_whole=False)
            blocks.append(block._replace(text=block.text[:room]))
            room -= len(block.text)
        return cls(tuple(blocks), is_whole=room >= 0)


def _blocks(selection: Selection) -> Iterator[PageBlock]:
    segmentation = selection.segmentation
    dom = segmentation.dom
    kept = selection.has_kept()
    shown = np.flatnonzero(kept | dom.visible[segmentation.firsts])
    for block in shown.tolist():
        elements = _elements(dom, int(segmentation.containers[block]))
        yield PageBlock(segmentation.texts[block], elements, bool(kept[block]))


def _elements(dom: Dom, node: int) -> tuple[str, ...]:
    found: list[str] = []
    for _ in range(_MOST_STEPS):
        if node < 0 or len(found) == _MOST_ELEMENTS:
            break
        tag = dom.tags[node]
        if tag in _SHOWN_ELEMENTS and tag not in found:
            found.append(tag)
        node = int(dom.parents[node])
    return tuple(reversed(found))

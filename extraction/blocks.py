"""Blocks: the stretches of text that a reader sees as one line or paragraph.

A block is a run of visible text nodes with no boundary of a block-level element, and no empty
line of two ``<br>``, between them. It is the unit that block classifiers label and that text is
written in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from extraction.result import Block, BlockKind
from markup.dom import BoolArray, Dom, IntArray
from markup.tags import (
    BLOCK_LEVEL,
    CELLS,
    FORMATTING,
    HEADINGS,
    LIST_ITEMS,
    PREFORMATTED,
    ZERO_WIDTH,
)

# A single space stays as it is, so it need not be found.
_SPACE = re.compile(r" *+[\t\n\r\f\v\u00a0][ \t\n\r\f\v\u00a0]*+|  ++")
_UNDRAWN = re.compile(f"[{ZERO_WIDTH}]+")
_SPACE_AROUND_BREAK = re.compile(r" *\n *")
# Stands for <br> while white space is being collapsed; no parsed page has a NUL.
_BREAK = "\0"

_TYPEFACE = FORMATTING - {"a"} | {"sub", "sup", "abbr", "q", "cite", "mark"}

_TAGS_OF_KIND: dict[BlockKind, frozenset[str]] = {
    "heading": HEADINGS,
    "list-item": LIST_ITEMS,
    "table-row": CELLS,
    "code": PREFORMATTED,
}
_KIND_OF_TAG = {tag: kind for kind, tags in _TAGS_OF_KIND.items() for tag in tags}


@dataclass(frozen=True, eq=False)
class Segmentation:
    """The blocks of one page, in document order; block ``b`` is an index into these arrays.

    dom: the page.
    block_of: for every node, the block of a visible text node; -1 for all other nodes.
    firsts, lasts: the first and last text node with text in every block.
    containers: the nearest block-level element round every block.
    """

    dom: Dom
    block_of: IntArray
    firsts: IntArray
    lasts: IntArray
    containers: IntArray

    def __len__(self) -> int:
        return len(self.firsts)

    @cached_property
    def kinds(self) -> list[BlockKind]:
        """The role of every block, from the nearest element round it that has one."""
        dom = self.dom
        nearest = dom.nearest(dom.has_tag(_KIND_OF_TAG.keys()))[self.firsts]
        return [
            _KIND_OF_TAG[dom.tags[node]] if node >= 0 else "paragraph" for node in nearest.tolist()
        ]

    @cached_property
    def texts(self) -> list[str]:
        """The text of every block, as written when all of it is kept."""
        return self._written(self.block_of >= 0)

    def texts_of(self, kept: BoolArray) -> list[str]:
        """The text of every block, of the kept text nodes alone; empty where none is kept."""
        nodes = np.flatnonzero(self.block_of >= 0)
        nodes_in = np.bincount(self.block_of[nodes], minlength=len(self))
        kept_in = np.bincount(self.block_of[nodes[kept[nodes]]], minlength=len(self))
        is_cut = (kept_in > 0) & (kept_in < nodes_in)
        if is_cut.any():
            return self._written(kept)
        return [text if some else "" for text, some in zip(self.texts, kept_in, strict=True)]

    def _written(self, kept: BoolArray) -> list[str]:
        texts, nodes = self.dom.texts, self._nodes
        is_text = self.block_of[nodes] >= 0
        shown = is_text & kept[nodes]
        # Where text is dropped between two texts of a block, white space stands for it.
        after_dropped = np.zeros(len(nodes), dtype=np.bool_)
        same_block = np.diff(self.block_of[nodes[is_text]]) == 0
        after_dropped[np.flatnonzero(is_text)[1:]] = ~shown[is_text][:-1] & same_block
        pieces = [_BREAK] * len(nodes)
        for place, node in zip(
            np.flatnonzero(is_text).tolist(), nodes[is_text].tolist(), strict=True
        ):
            pieces[place] = texts[node] if kept[node] else ""
        for place in np.flatnonzero(shown & (after_dropped | self._apart[nodes])).tolist():
            pieces[place] = f" {pieces[place]}"
        # A break belongs to the block before it.
        block_of = np.maximum.accumulate(self.block_of[nodes])
        cuts = np.searchsorted(block_of, np.arange(len(self) + 1)).tolist()
        return [
            _preformatted(pieces[start:stop]) if kind == "code" else _collapsed(pieces[start:stop])
            for start, stop, kind in zip(cuts[:-1], cuts[1:], self.kinds, strict=True)
        ]

    def kept_blocks(
        self,
        kept: BoolArray,
        probabilities: list[float] | None = None,
        comments: list[bool] | None = None,
    ) -> tuple[Block, ...]:
        """The blocks with kept text in reading order; the cells of a table row as one block.

        kept: for every node, whether its text is kept.
        probabilities: for every block, that it is main content; a row takes its cells' mean.
        comments: for every block, whether it lies among readers' comments.
        """
        blocks: list[Block] = []
        rows, kinds = self.rows, self.kinds
        row_before = -1
        cells: list[float] = []
        for b, text in enumerate(self.texts_of(kept)):
            if not text:
                continue
            row, kind = rows[b], kinds[b]
            if kind == "table-row" and row < 0:
                kind = "paragraph"
            same_row = row >= 0 and row == row_before
            row_before = row
            cells = cells if same_row else []
            if probabilities is not None:
                cells.append(probabilities[b])
            blocks.append(
                Block(
                    f"{blocks.pop().text}\t{text}" if same_row else text,
                    kind,
                    sum(cells) / len(cells) if cells else None,
                    comments is not None and comments[b],
                )
            )
        return tuple(blocks)

    @cached_property
    def _nodes(self) -> npt.NDArray[np.intp]:
        """The text nodes of all blocks, and the line breaks."""
        return np.flatnonzero((self.block_of >= 0) | self.dom.has_tag({"br"}))

    @cached_property
    def continued(self) -> IntArray:
        """For every text node, the one before it in whose last word it goes on; -1 for others."""
        texts = self.dom.texts
        before, after = self._nodes[:-1], self._nodes[1:]
        block = self.block_of[after]
        joined = (self.block_of[before] == block) & (block >= 0) & ~self._apart[after]
        continued = np.full(len(self.dom), -1, dtype=np.int32)
        for left, right in zip(before[joined].tolist(), after[joined].tolist(), strict=True):
            if not (texts[left][-1:].isspace() or texts[right][:1].isspace()):
                continued[right] = left
        return continued

    @cached_property
    def _apart(self) -> BoolArray:
        """Text nodes that need a space before them, though the markup has none.

        Two inline elements that touch (``<a>News</a><a>Sport</a>``) are set apart by style;
        an element that touches bare text (``<b>D</b>rop``) is part of a word, as are elements
        that only change the typeface and the coloured parts of code.
        """
        tags, parents, ends = self.dom.tags, self.dom.parents, self.dom.ends
        nodes = np.flatnonzero(self.block_of >= 0)
        before, after = nodes[:-1], nodes[1:]
        touching = (ends[parents[before]] <= after) & (parents[after] > before)
        apart = np.zeros(len(tags), dtype=np.bool_)
        for left, right in zip(before[touching].tolist(), after[touching].tolist(), strict=True):
            names = {tags[parents[left]], tags[parents[right]]}
            apart[right] = not names <= _TYPEFACE and tags[parents[parents[right]]] != "code"
        is_preformatted = self.dom.has_tag(PREFORMATTED)
        if is_preformatted.any():
            apart &= self.dom.nearest(is_preformatted) < 0
        return apart

    @cached_property
    def rows(self) -> list[int]:
        """For every block, its table row; -1 outside tables and in rows that lay out a page.

        A row of data has at least two cells and one block a cell at most.
        """
        dom = self.dom
        cell_of = dom.nearest(dom.has_tag(CELLS))[self.firsts]
        row_of = np.where(cell_of >= 0, dom.nearest(dom.has_tag({"tr"}))[self.firsts], -1)
        cells_by_row: dict[int, list[int]] = {}
        for cell, row in zip(cell_of.tolist(), row_of.tolist(), strict=True):
            cells_by_row.setdefault(row, []).append(cell)
        data_rows = {
            row
            for row, cells in cells_by_row.items()
            if row >= 0 and len(cells) > 1 and len(set(cells)) == len(cells)
        }
        return [row if row in data_rows else -1 for row in row_of.tolist()]


def segment(dom: Dom, shown: BoolArray | None = None) -> Segmentation:
    """Cut the text of a page into blocks.

    shown: for every node, whether its text counts; the visible ones where not given.
    """
    if shown is None:
        shown = dom.visible
    n = len(dom)
    is_block_level = dom.has_tag(BLOCK_LEVEL)
    boundaries = is_block_level.astype(np.int32)
    ends = dom.ends[is_block_level]
    boundaries += np.bincount(ends, minlength=n + 1)[:-1].astype(np.int32)
    boundaries[_empty_lines(dom)] += 1
    stretch = np.cumsum(boundaries)

    visible_texts = np.flatnonzero(dom.is_text & shown)
    with_text = np.flatnonzero(dom.has_text & shown)
    stretches, first_positions = np.unique(stretch[with_text], return_index=True)
    last_positions = np.append(first_positions[1:], len(with_text)) - 1
    block_of = np.full(n, -1, dtype=np.int32)
    positions = np.searchsorted(stretches, stretch[visible_texts])
    in_block = positions < len(stretches)
    in_block[in_block] &= stretches[positions[in_block]] == stretch[visible_texts][in_block]
    block_of[visible_texts[in_block]] = positions[in_block]
    firsts = with_text[first_positions].astype(np.int32)
    return Segmentation(
        dom=dom,
        block_of=block_of,
        firsts=firsts,
        lasts=with_text[last_positions].astype(np.int32) if len(firsts) else firsts,
        containers=dom.containers[firsts],
    )


def join(blocks: tuple[Block, ...]) -> str:
    r"""The text of a document: items and rows on following lines, all else as paragraphs.

    >>> join((Block("A", "heading"), Block("x", "list-item"), Block("y", "list-item")))
    'A\n\nx\ny'
    """
    pieces: list[str] = []
    before: BlockKind | None = None
    for block in blocks:
        if before is not None:
            tight = block.kind == before and block.kind in ("list-item", "table-row")
            pieces.append("\n" if tight else "\n\n")
        pieces.append(block.text)
        before = block.kind
    return "".join(pieces)


def _empty_lines(dom: Dom) -> npt.NDArray[np.intp]:
    """The ``<br>`` that follow another with no text between them."""
    is_break = dom.has_tag({"br"})
    marks = np.flatnonzero(is_break | dom.has_text)
    after_break = is_break[marks]
    return marks[1:][after_break[1:] & after_break[:-1]]


def _collapsed(parts: list[str]) -> str:
    text = "".join(parts)
    text = " ".join(text.split()) if text.isascii() else _SPACE.sub(" ", _UNDRAWN.sub("", text))
    if _BREAK in text:
        text = _SPACE_AROUND_BREAK.sub("\n", text.replace(_BREAK, "\n"))
    return text.strip()


def _preformatted(parts: list[str]) -> str:
    return "".join(parts).replace(_BREAK, "\n").strip("\n").rstrip()

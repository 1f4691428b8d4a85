"""Blocks: what a reader sees as one line or paragraph.

A block is a run of visible text nodes that is not interrupted by the boundary of a block-level
element or by an empty line (two ``<br>``). A listing is one block, even if each line is an element.
Blocks are the units that classifiers label and that text is written in.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.controls import without_controls
from corpus_commons.markup.dom import Dom
from corpus_commons.markup.tags import (
    BLOCK_LEVEL,
    CELLS,
    HEADINGS,
    LIST_ITEMS,
    PREFORMATTED,
)
from corpus_commons.markup.tree import BoolArray, IntArray
from extraction.page import definitions
from extraction.page.attributions import attributions
from extraction.page.blocks import BREAK, EDGE, Block, BlockKind, drawn
from extraction.page.code_lines import CodeLines
from extraction.page.spacing import joined, parted, set_apart
from extraction.page.tables import DataTables
from extraction.page.transcription import transcribe
from extraction.page.variants import variants

if TYPE_CHECKING:
    from collections.abc import Mapping

    from extraction.page.transcription import Transcription

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
    containers: the nearest block-level element around every block.
    code_lines: the lines of code that are elements; their edges do not end a block.
    """

    dom: Dom
    block_of: IntArray
    firsts: IntArray
    lasts: IntArray
    containers: IntArray
    code_lines: CodeLines

    def __len__(self) -> int:
        return len(self.firsts)

    @cached_property
    def kinds(self) -> list[BlockKind]:
        """The role of every block, given by the nearest ancestor that implies one."""
        dom = self.dom
        has_kind = (dom.has_tag(_KIND_OF_TAG.keys()) | dom.preformatted) & ~self.code_lines.elements
        nearest = dom.nearest(has_kind)[self.firsts]
        return [
            _KIND_OF_TAG.get(dom.tags[node], "code") if node >= 0 else "paragraph"
            for node in nearest.tolist()
        ]

    @cached_property
    def texts(self) -> list[str]:
        """The full text of every block, as classifiers see it."""
        texts = self.dom.texts
        pieces = [
            (f" {texts[node]}" if apart else texts[node]) if is_text else BREAK
            for node, apart, is_text in zip(
                self._nodes.tolist(),
                self._apart[self._nodes].tolist(),
                (self.block_of[self._nodes] >= 0).tolist(),
                strict=True,
            )
        ]
        for place in np.flatnonzero(self._at_edge).tolist():
            pieces[place] = EDGE + pieces[place]
        pieces = without_controls(pieces)
        cuts = pairwise(self._cuts)
        return drawn(["".join(pieces[start:stop]) for start, stop in cuts], self.kinds)

    def texts_of(self, kept: BoolArray, *, superscripts: bool = False) -> list[str]:
        """The text of every block's kept text nodes; empty if none is kept.

        superscripts: whether the output format can show them; see ``Transcription``.
        """
        nodes = self._text_nodes
        is_kept = kept[nodes]
        blocks = self.block_of[nodes]
        nodes_in = np.bincount(blocks, minlength=len(self))
        kept_in = np.bincount(blocks[is_kept], minlength=len(self))
        spaced = self._spaced(kept & ~self._left_out)
        written = self.transcribed(superscripts=superscripts)
        is_other = kept_in < nodes_in
        is_other[self.block_of[spaced != self._apart]] = True
        is_other[self.block_of[list(written)]] = True
        is_some = kept_in > 0
        some_in = zip(self.texts, is_some.tolist(), strict=True)
        texts = [text if some else "" for text, some in some_in]
        for block in np.flatnonzero(is_other & is_some).tolist():
            texts[block] = self._written(block, kept, spaced, written)
        return texts

    def _written(
        self, block: int, kept: BoolArray, spaced: BoolArray, written: Mapping[int, str]
    ) -> str:
        pieces: list[str] = []
        is_after_dropped = False
        stretch = slice(self._cuts[block], self._cuts[block + 1])
        at_edge = self._at_edge[stretch].tolist()
        for node, is_edge in zip(self._nodes[stretch].tolist(), at_edge, strict=True):
            if is_edge:
                pieces.append(EDGE)
                is_after_dropped = False
            if self.block_of[node] < 0:
                pieces.append(BREAK)
            elif not kept[node]:
                is_after_dropped = True
            elif text := written.get(node, self.dom.texts[node]):
                # A space replaces what is dropped between two texts.
                pieces.append(f" {text}" if is_after_dropped or spaced[node] else text)
                is_after_dropped = False
        (text,) = drawn(without_controls(["".join(pieces)]), self.kinds[block : block + 1])
        return text

    def kept_blocks(
        self,
        kept: BoolArray,
        probabilities: list[float] | None = None,
        comments: list[bool] | None = None,
    ) -> tuple[Block, ...]:
        """The blocks with kept text in reading order; each row of a data table is one block.

        kept: for every node, whether its text is kept.
        probabilities: for every block, that it is main content; a row gets the mean of its blocks.
        comments: for every block, whether it is in readers' comments.
        """
        texts, rows, kinds = self.texts_of(kept), self.rows, self.kinds
        units = self._units(texts)
        columns = self.data_tables.columns(
            self.cells[b] for unit in units for b in unit if rows[b] >= 0
        )
        blocks: list[Block] = []
        indents = definitions.depths(self.dom)[self.firsts].tolist()
        for unit in units:
            first = unit[0]
            text, kind = texts[first], kinds[first]
            if rows[first] >= 0:
                text, kind = self._row(unit, texts, columns), "table-row"
            elif kind == "table-row":
                kind = "paragraph"
            mean = None
            if probabilities is not None:
                mean = sum(probabilities[b] for b in unit) / len(unit)
            is_comment = comments is not None and comments[first]
            blocks.append(Block(text, kind, mean, is_comment, indents[first]))
        return tuple(blocks)

    def _units(self, texts: list[str]) -> list[list[int]]:
        """The blocks with a text; consecutive ones of a row together."""
        written = [b for b, text in enumerate(texts) if text]
        # Every block that is in no row has a number of its own.
        groups = groupby(written, key=lambda b: self.rows[b] if self.rows[b] >= 0 else ~b)
        return [list(group) for _, group in groups]

    def _row(self, blocks: list[int], texts: list[str], columns: Mapping[int, int]) -> str:
        line: list[str] = []
        for cell, inside in groupby(blocks, key=self.cells.__getitem__):
            line += [""] * (columns[cell] - len(line))
            line.append(" ".join(" ".join(texts[b] for b in inside).split()))
        return "\t".join(line)

    @cached_property
    def data_tables(self) -> DataTables:
        """The data tables; one that contains multi-line code or its line numbers is not one.

        A ``<code>`` with line breaks is too little for that.
        """
        code: list[int] = []
        if "code" in self.kinds:
            dom, firsts = self.dom, self.firsts.tolist()
            numbers = self._transcription.left_out
            listings = dom.nearest(dom.preformatted)[self.firsts].tolist()
            places = enumerate(zip(self.kinds, self.texts, listings, strict=True))
            code = [
                b
                for b, (kind, text, listing) in places
                if kind == "code"
                and ("\n" in text or firsts[b] in numbers)
                and dom.tags[listing] != "code"
            ]
        return DataTables(self.dom, self.firsts, self.firsts[code])

    @cached_property
    def cells(self) -> list[int]:
        """For every block, its cell in a data table; -1 elsewhere."""
        cells: list[int] = self.data_tables.cells[self.firsts].tolist()
        return cells

    @cached_property
    def rows(self) -> list[int]:
        """For every block, its row in a data table; -1 elsewhere."""
        rows: list[int] = self.data_tables.rows[self.firsts].tolist()
        return rows

    def transcribed(self, *, superscripts: bool = False) -> Mapping[int, str]:
        """Replacement texts of those text nodes that are not written verbatim.

        superscripts: whether the output format can show them.
        """
        found = self._transcription
        return found.everywhere if superscripts else found.everywhere | found.superscripts

    @cached_property
    def _transcription(self) -> Transcription:
        return transcribe(self.dom, self.block_of)

    @cached_property
    def _left_out(self) -> BoolArray:
        left_out = np.zeros(len(self.dom), dtype=np.bool_)
        left_out[list(self._transcription.left_out)] = True
        return left_out

    @cached_property
    def continued(self) -> IntArray:
        """For every text node that continues a word, the text node before it; -1 for others."""
        texts = self.dom.texts
        before, after = self._nodes[:-1], self._nodes[1:]
        block = self.block_of[after]
        spaced = self._spaced(self.block_of >= 0)
        touching = (self.block_of[before] == block) & (block >= 0) & ~spaced[after]
        continued = np.full(len(self.dom), -1, dtype=np.int32)
        for left, right in zip(before[touching].tolist(), after[touching].tolist(), strict=True):
            if not (texts[left][-1:].isspace() or texts[right][:1].isspace()):
                continued[right] = left
        return continued

    def _spaced(self, kept: BoolArray) -> BoolArray:
        """Which of the kept text nodes are written with a space before them."""
        nodes = self._text_nodes[kept[self._text_nodes]]
        lefts, rights = nodes[:-1], nodes[1:]
        touching = self._apart[rights] & (self.block_of[lefts] == self.block_of[rights])
        spaced = self._apart.copy()
        spaced[list(joined(self.dom, lefts[touching], rights[touching]))] = False
        spaced[list(parted(self.dom, nodes, self.block_of[nodes]))] = True
        return spaced

    @cached_property
    def _apart(self) -> BoolArray:
        return set_apart(self.dom, self._text_nodes)

    @cached_property
    def _text_nodes(self) -> IntArray:
        return np.flatnonzero(self.block_of >= 0).astype(np.int32)

    @cached_property
    def _nodes(self) -> IntArray:
        """The text nodes of all blocks, and the ``<br>``."""
        return np.flatnonzero((self.block_of >= 0) | self.dom.has_tag({"br"})).astype(np.int32)

    @cached_property
    def _at_edge(self) -> BoolArray:
        """Which of these nodes come after the edge of a line of code that is an element."""
        nodes, lines = self._nodes, self.code_lines
        if not lines.elements.any():
            return np.zeros(len(nodes), dtype=np.bool_)
        at_edge = np.diff(lines.numbers[nodes], prepend=0) > 0
        of_code = np.append(lines.inside[self.firsts], False)
        at_edge &= of_code[np.maximum.accumulate(self.block_of[nodes])]
        return at_edge

    @cached_property
    def _cuts(self) -> list[int]:
        """Where the nodes of every block begin, and the end of the last block."""
        # A <br> belongs to the block before it.
        block_of = np.maximum.accumulate(self.block_of[self._nodes])
        cuts: list[int] = np.searchsorted(block_of, np.arange(len(self) + 1)).tolist()
        return cuts


def segment(dom: Dom, shown: BoolArray | None = None) -> Segmentation:
    """Segment the text of a page into blocks.

    shown: for every node, whether its text counts; by default, whether it is visible.
    """
    if shown is None:
        shown = dom.visible
    lines = CodeLines(dom)
    is_block_level = dom.has_tag(BLOCK_LEVEL) & ~lines.elements
    stretch = _stretches(dom, is_block_level, lines)
    with_text = np.flatnonzero(dom.has_text & shown).astype(np.int32)
    stretches, begins = np.unique(stretch[with_text], return_index=True)
    ends = np.searchsorted(stretch[with_text], stretches, side="right")
    block_in = np.full(int(stretch[-1]) + 1, -1, dtype=np.int32)
    block_in[stretches] = np.arange(len(stretches))
    counted = dom.is_text & shown & ~lines.between()
    firsts = with_text[begins]
    containers = dom.nearest(is_block_level) if lines.elements.any() else dom.containers
    return Segmentation(
        dom=dom,
        block_of=np.where(counted, block_in[stretch], np.int32(-1)),
        firsts=firsts,
        lasts=with_text[ends - 1],
        containers=containers[firsts],
        code_lines=lines,
    )


def _stretches(dom: Dom, is_block_level: BoolArray, lines: CodeLines) -> IntArray:
    """For every node, the number of the stretch between boundaries of blocks that it is in."""
    is_apart = is_block_level | dom.preformatted
    is_apart[variants(dom)] = True
    is_apart[attributions(dom)] = True
    is_empty_line = np.zeros(len(dom), dtype=np.bool_)
    is_empty_line[_empty_lines(dom)] = True
    is_empty_line &= ~lines.inside
    return dom.edges_passed(is_apart) + np.cumsum(is_empty_line, dtype=np.int32)


def _empty_lines(dom: Dom) -> npt.NDArray[np.intp]:
    """Every ``<br>`` that follows another one with no text between them."""
    is_break = dom.has_tag({"br"})
    marks = np.flatnonzero(is_break | dom.has_text)
    after_break = is_break[marks]
    return marks[1:][after_break[1:] & after_break[:-1]]

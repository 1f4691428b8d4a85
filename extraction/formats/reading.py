"""Makes passages from the kept nodes of the tree."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corpus_commons.markup.tags import HEADINGS
from extraction.formats.inline import Inline
from extraction.formats.languages import language_of
from extraction.formats.layout_lists import layout_lists
from extraction.formats.layout_quotations import layout_quotations
from extraction.formats.passages import (
    Cell,
    Code,
    Heading,
    Paragraph,
    Passage,
    Picture,
    Run,
    Runs,
    Table,
)
from extraction.formats.places import Places
from extraction.page.variants import variants

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corpus_commons.markup.tree import IntArray
    from extraction.page.selection import Selection

_NEW_LINE = Run("\n")
# Wider rows are not filled to the length of others: a small page could ask for billions of cells.
_LONGEST_FILLED = 64


class _Unit(NamedTuple):
    """A kept block, or a picture between blocks.

    node: the block's first text node, or the picture. block: -1 for a picture.
    group: shared by consecutive units in the same table or listing.
    """

    node: int
    block: int
    group: tuple[str, int]


def read(
    selection: Selection,
    *,
    base: str | None,
    pictures: Mapping[int, Picture],
    superscripts: bool,
) -> list[Passage]:
    """The passages of the kept text, in reading order.

    base: the URL that links are resolved against; None if links are not wanted.
    pictures: the images to write, keyed by node, ascending.
    superscripts: whether the format can show them; if not, they are written as plain characters.
    """
    return list(_Reader(selection, base, pictures, superscripts).passages())


class _Reader:
    def __init__(
        self,
        selection: Selection,
        base: str | None,
        pictures: Mapping[int, Picture],
        superscripts: bool,
    ) -> None:
        self._segmentation = segmentation = selection.segmentation
        self._dom = dom = segmentation.dom
        self._tables = segmentation.data_tables
        self._texts = segmentation.texts_of(selection.kept, superscripts=superscripts)
        inside, self._between = _inside_and_between(
            segmentation.firsts, segmentation.lasts, pictures
        )
        written = segmentation.transcribed(superscripts=superscripts)
        self._inline = Inline(selection, base, inside, written)
        firsts = segmentation.firsts[[bool(text) for text in self._texts]]
        posts = layout_quotations(dom)
        lists = layout_lists(dom, firsts, [*filter(None, self._texts)], posts)
        self._places = Places(dom, lists | posts)
        self._headings = dom.nearest(dom.has_tag(HEADINGS))
        is_listing = dom.preformatted.copy()
        is_listing[variants(dom)] = True
        self._listings = dom.nearest(is_listing)

    def passages(self) -> Iterator[Passage]:
        for (kind, node), group in groupby(self._units(), key=lambda unit: unit.group):
            units = list(group)
            if kind == "table":
                yield Table(self._places.of(node), tuple(self._rows(units)))
            elif kind == "code":
                text = "\n".join(self._texts[unit.block] for unit in units)
                yield Code(self._places.of(node), text, language_of(self._dom, node))
            else:
                yield self._alone(units[0])

    def _alone(self, unit: _Unit) -> Passage:
        path = self._places.of(unit.node)
        runs = self._runs(unit)
        if unit.block >= 0 and self._segmentation.kinds[unit.block] == "heading":
            level = int(self._dom.tags[self._headings[unit.node]][1])
            # A heading is bold already.
            return Heading(path, tuple(_without_strong(runs)), level)
        return Paragraph(path, runs)

    def _rows(self, units: list[_Unit]) -> Iterator[tuple[Cell, ...]]:
        """The rows with kept cells. None is shorter than the others up to _LONGEST_FILLED cells,
        and the first is as long as the longest.
        """
        tables = self._tables
        columns = tables.columns(int(tables.cells[unit.node]) for unit in units)
        filled = max(columns.values()) + 1
        for _, row in groupby(units, key=lambda unit: tables.rows[unit.node]):
            cells: dict[int, Cell] = {}
            for node, inside in groupby(row, key=lambda unit: int(tables.cells[unit.node])):
                runs = [run for unit in inside for run in (_NEW_LINE, *self._runs(unit))]
                cells[columns[node]] = Cell(tuple(runs[1:]), self._dom.tags[node] == "th")
            length = max(filled, max(cells) + 1)
            yield tuple(cells.get(column, Cell()) for column in range(length))
            filled = min(filled, _LONGEST_FILLED)

    def _runs(self, unit: _Unit) -> Runs:
        if unit.block < 0:
            return (self._inline.picture(unit.node, self._between[unit.node]),)
        return self._inline.runs(unit.block, self._texts[unit.block])

    def _units(self) -> Iterable[_Unit]:
        kinds = self._segmentation.kinds
        units = [_Unit(node, -1, self._group(node, "picture")) for node in self._between]
        for block, first in enumerate(self._segmentation.firsts.tolist()):
            if self._texts[block]:
                group = self._group(first, kinds[block])
                units.append(_Unit(first, block, group))
        return sorted(units)

    def _group(self, node: int, kind: str) -> tuple[str, int]:
        if self._tables.tables[node] >= 0:
            return "table", int(self._tables.tables[node])
        if kind == "code":
            return "code", int(self._listings[node])
        return "alone", node


def _inside_and_between(
    firsts: IntArray, lasts: IntArray, pictures: Mapping[int, Picture]
) -> tuple[dict[int, Picture], dict[int, Picture]]:
    """The pictures inside a block, with text of it on both sides, and all others."""
    inside: dict[int, Picture] = {}
    between: dict[int, Picture] = {}
    for node, picture in pictures.items():
        block = int(np.searchsorted(firsts, node)) - 1
        is_inside = block >= 0 and node < lasts[block]
        (inside if is_inside else between)[node] = picture
    return inside, between


def _without_strong(runs: Runs) -> Iterator[Run]:
    return (run._replace(marks=tuple(m for m in run.marks if m != "strong")) for run in runs)

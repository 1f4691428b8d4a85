"""Finds the data tables of a page, and the row and column of each of their cells.

A data table has a header, or a row of at least two cells with one block each; hardly any cell has
more. A layout table has most of the page in one cell.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from corpus_commons.markup.tags import CELLS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray, IntArray

_MOST_BLOCKS: Final = 10
_MEAN_BLOCKS: Final = 2.5
# The last column that spans are counted for.
_LAST_SPANNED: Final = 64
_MOST_ROWS: Final = 65_534
_ROW_GROUPS: Final = frozenset(("thead", "tbody", "tfoot"))


class DataTables:
    """The data tables of a page.

    cells, rows, tables: for every node, the cell, row or data table that it is in; -1 elsewhere. A
        table nested in a cell is part of that cell.
    """

    def __init__(self, dom: Dom, firsts: IntArray, code: IntArray) -> None:
        """firsts: the first text node of every block. code: those of multi-line code."""
        self._dom = dom
        nowhere = np.full(len(dom) + 1, -1, dtype=np.int32)
        self.cells = self.rows = self.tables = nowhere[:-1]
        if not len(dom.elements("td")) and not len(dom.elements("th")):
            return
        rows, tables = dom.nearest(dom.has_tag({"tr"})), dom.nearest(dom.has_tag({"table"}))
        is_cell = dom.has_tag(CELLS)
        is_cell &= np.isin(tables, _tables_of_data(dom, tables, rows, firsts, code))
        if is_cell.any():
            self.cells = dom.nearest(is_cell)
            # Nodes outside all cells have the index -1, which is the appended entry.
            self.rows = np.append(rows, -1)[self.cells]
            self.tables = np.append(tables, -1)[self.cells]

    def columns(self, cells: Iterable[int]) -> dict[int, int]:
        """The column of each of these cells; columns without any of them are not counted."""
        of_cells = {cell: self._columns[cell] for cell in cells}
        begun: dict[int, set[int]] = {}
        for cell, column in of_cells.items():
            begun.setdefault(int(self.tables[cell]), set()).add(column)
        places = {
            table: {column: place for place, column in enumerate(sorted(columns))}
            for table, columns in begun.items()
        }
        return {cell: places[int(self.tables[cell])][column] for cell, column in of_cells.items()}

    @cached_property
    def _columns(self) -> dict[int, int]:
        """The column of every cell, from 0, with row and column spans taken into account.

        Spans of rows end with the group of rows (``<thead>``, ``<tbody>``) that they are in.
        """
        dom = self._dom
        cells = np.flatnonzero(self.cells == np.arange(len(dom)))
        rows, tables = self.rows[cells], self.tables[cells]
        # By table, then by row, then in document order.
        order = np.lexsort((cells, rows, tables))
        cells, rows = cells[order], rows[order]
        starts = np.flatnonzero(np.diff(rows, prepend=-2) != 0)
        groups, numbers = self._groups(rows[starts])
        columns: dict[int, int] = {}
        taken: dict[int, int] = {}
        group = number = -1
        for place, (start, stop) in enumerate(pairwise([*starts.tolist(), len(cells)])):
            if groups[place] != group:
                group, taken = groups[place], {}
            else:
                taken = _below(taken, numbers[place] - number - 1)
            number = numbers[place]
            taken = _place(dom, cells[start:stop].tolist(), taken, columns)
        return columns

    def _groups(self, rows: IntArray) -> tuple[list[int], list[int]]:
        """For every one of these rows, the group that it is in, and its number among the rows of
        the page, also those without cells.
        """
        dom = self._dom
        groups = dom.nearest(dom.has_tag(_ROW_GROUPS | {"table"}))[rows]
        return groups.tolist(), np.searchsorted(dom.elements("tr"), rows).tolist()


def _tables_of_data(
    dom: Dom, tables: IntArray, rows: IntArray, firsts: IntArray, code: IntArray
) -> list[int]:
    blocks, codes = _counts(dom, firsts), _counts(dom, code)
    cells = np.flatnonzero(dom.has_tag(CELLS) & (blocks > 0))
    cells = cells[np.argsort(tables[cells], kind="stable")]
    starts = np.flatnonzero(np.diff(tables[cells], prepend=-2)).tolist()
    is_head = dom.covered(dom.elements("thead")) & dom.has_tag({"th"})
    found: list[int] = []
    end = 0
    for start, stop in pairwise([*starts, len(cells)]):
        its = cells[start:stop]
        table = int(tables[its[0]])
        is_inside = table < end
        if not is_inside and not codes[table] and _is_data(rows[its], blocks[its], is_head[its]):
            found.append(table)
            end = int(dom.ends[table])
    return found


def _is_data(rows: IntArray, blocks: IntArray, is_head: BoolArray) -> bool:
    """Whether a table is a data table.

    rows, blocks, is_head: of each cell its row, its number of blocks, and whether it is a header's.
    """
    if blocks.max() > _MOST_BLOCKS or blocks.mean() > _MEAN_BLOCKS:
        return False
    if np.count_nonzero(is_head) > 1:
        return True
    _, row_of, cells = np.unique(rows, return_inverse=True, return_counts=True)
    most = np.zeros(len(cells), dtype=blocks.dtype)
    np.maximum.at(most, row_of, blocks)
    return bool(((cells > 1) & (most == 1)).any())


def _counts(dom: Dom, nodes: IntArray) -> IntArray:
    """For every node, how many of ``nodes`` are in its subtree."""
    own = np.zeros(len(dom), dtype=np.int32)
    own[nodes] = 1
    return dom.subtree_sums(own)


def _place(
    dom: Dom, cells: list[int], taken: dict[int, int], columns: dict[int, int]
) -> dict[int, int]:
    """Assign columns to the cells of a row.

    taken: the columns taken by cells spanning from rows above, and for how many more rows.
    Returns the same for the next row.
    """
    below = _below(taken, 1)
    column = 0
    for cell in cells:
        while column in taken:
            column += 1
        columns[cell] = column
        end = min(column + _span(dom, cell, "colspan", _LAST_SPANNED), _LAST_SPANNED)
        more_rows = _span(dom, cell, "rowspan", _MOST_ROWS) - 1
        if more_rows:
            below.update(dict.fromkeys(range(column, end), more_rows))
        column = max(column + 1, end)
    return below


def _below(taken: dict[int, int], rows: int) -> dict[int, int]:
    """What is still taken some rows further down."""
    return {column: left - rows for column, left in taken.items() if left > rows}


def _span(dom: Dom, cell: int, attribute: str, most: int) -> int:
    text = (dom.attributes[cell].get(attribute) or "")[:6]
    if not text.isascii() or not text.isdigit():
        return 1
    # A row span of 0 lasts as long as the group of rows, which ends all spans.
    return min(int(text), most) or (most if attribute == "rowspan" else 1)

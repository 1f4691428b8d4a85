"""In which column of its table a cell stands."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from markup.tags import CELLS

if TYPE_CHECKING:
    from markup.dom import Dom

# Cells that span rows or columns leave empty ones behind, up to this column.
_LAST_SPANNED: Final = 64
_MOST_ROWS: Final = 65_534


def columns_of(dom: Dom) -> dict[int, int]:
    """The column of every cell of the page, counted from 0; spans of rows and columns counted."""
    cells = np.flatnonzero(dom.has_tag(CELLS))
    rows = dom.nearest(dom.has_tag({"tr"}))[cells]
    tables = dom.nearest(dom.has_tag({"table"}))[cells]
    # By table, then by row, then as they stand.
    order = np.lexsort((cells, rows, tables))
    cells, rows, tables = cells[order], rows[order], tables[order]
    starts = np.flatnonzero((np.diff(rows, prepend=-2) != 0) | (np.diff(tables, prepend=-2) != 0))
    columns: dict[int, int] = {}
    taken: dict[int, int] = {}
    table = -1
    for start, stop in pairwise([*starts.tolist(), len(cells)]):
        if tables[start] != table:
            table = int(tables[start])
            taken = {}
        taken = _place(dom, cells[start:stop].tolist(), taken, columns)
    return columns


def _place(
    dom: Dom, cells: list[int], taken: dict[int, int], columns: dict[int, int]
) -> dict[int, int]:
    """Give the cells of a row their columns.

    taken: the columns that cells of the rows above span, and for how many rows from this one on.
    Returned is the same for the next row.
    """
    below = {column: rows - 1 for column, rows in taken.items() if rows > 1}
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


def _span(dom: Dom, cell: int, attribute: str, most: int) -> int:
    text = (dom.attributes[cell].get(attribute) or "")[:6]
    return min(max(int(text), 1), most) if text.isascii() and text.isdigit() else 1

"""What is kept whole or not at all: the data tables and the listings of a page.

Without some of its rows, or without its header, a table says something else, and a text that
explains a listing says little without it. So the cells and the caption of a table, and the parts of
a listing, are kept together: if half of their words are, or if they stand between kept text and are
not improbable. A table in which most rows have a single filled cell lays out a list, such as the
titles and the details of a news site's front page: each of its rows is decided for itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from corpus_commons.markup.tree import BoolArray, IntArray
    from extraction.methods.boosted_blocks.arrays import Floats
    from extraction.methods.boosted_blocks.view import PageView
    from extraction.page.tables import DataTables

# The least mean probability of a table or listing between kept text.
_LEAST_BETWEEN: Final = 0.25
_CAPTIONS: Final = frozenset(("caption", "figcaption"))


def wholes(page: PageView) -> IntArray:
    """For every block, the table, row or listing that it is kept or dropped with; -1 for none.

    Hidden blocks have none: a hidden cell is no part of what a reader sees.
    """
    firsts = page.segmentation.firsts
    data, shown = page.segmentation.data_tables, page.shown
    listings = np.where(shown, _listings(page), -1)
    tables = np.where(shown, data.tables[firsts], -1)
    inside = np.flatnonzero(tables >= 0)
    if not len(inside):
        return listings
    grids = _grids(data, firsts[inside])
    found = np.where(np.isin(tables, grids) | (tables < 0), tables, data.rows[firsts])
    captioned = np.where(shown, _captioned(page, grids), -1)
    found = np.where(found < 0, captioned, found)
    return np.where(found < 0, listings, found)


def completed(kept: BoolArray, probabilities: Floats, page: PageView, whole: IntArray) -> BoolArray:
    """The kept blocks, with all or nothing of every whole."""
    inside = np.flatnonzero(whole >= 0)
    if not len(inside) or not kept.any():
        return kept
    _, starts, whole_of = np.unique(whole[inside], return_index=True, return_inverse=True)
    weights = page.weights[inside]
    words = np.bincount(whole_of, weights)
    first, last = np.flatnonzero(kept)[[0, -1]].tolist()
    is_between = (inside[starts] > first) & (inside[starts] < last)
    chances = np.bincount(whole_of, weights * probabilities[inside]) / words
    is_kept = 2 * np.bincount(whole_of, weights * kept[inside]) >= words
    is_kept |= is_between & (chances >= _LEAST_BETWEEN)
    result = kept.copy()
    result[inside] = is_kept[whole_of]
    return result


def _grids(data: DataTables, nodes: IntArray) -> IntArray:
    """The tables in which most rows have several filled cells. nodes: in cells."""
    _, some = np.unique(data.cells[nodes], return_index=True)
    _, first, filled = np.unique(data.rows[nodes[some]], return_index=True, return_counts=True)
    tables, table_of = np.unique(data.tables[nodes[some]][first], return_inverse=True)
    return tables[2 * np.bincount(table_of, filled > 1) > np.bincount(table_of)]


def _listings(page: PageView) -> IntArray:
    """For every block, the listing that it is in; -1 for all others."""
    nearest = page.dom.nearest(page.dom.preformatted)[page.segmentation.firsts]
    return np.where(page.kinds == "code", nearest, np.int32(-1))


def _captioned(page: PageView, grids: IntArray) -> IntArray:
    """For every block, the one of these tables that it is the caption of; -1 for all others.

    A figure's caption is one of the only table in it.
    """
    dom, firsts = page.dom, page.segmentation.firsts
    # Elements outside all others have the index -1, which is the appended entry.
    table_of = np.full(len(dom) + 1, -1, dtype=np.int32)
    table_of[grids] = grids
    if len(dom.elements("figcaption")):
        figures, places, tables = np.unique(
            dom.nearest(dom.has_tag({"figure"}))[grids], return_index=True, return_counts=True
        )
        is_only = (figures >= 0) & (tables == 1)
        table_of[figures[is_only]] = grids[places[is_only]]
    captions = dom.nearest(dom.has_tag(_CAPTIONS))[firsts]
    found: IntArray = np.where(captions >= 0, table_of[dom.parents[captions]], np.int32(-1))
    return found

"""The place of a passage: the lists, items and quotations around it."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from extraction.formats.passages import ITEMS, LISTS, Path, Place, PlaceTag

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray

# Deeper places are left out, because each adds an indent to every line inside it.
MAX_PLACES: Final = 16

_TAGS: Final[dict[str, PlaceTag]] = {
    "ul": "ul", "menu": "ul", "dir": "ul", "ol": "ol", "dl": "dl",
    "li": "li", "dt": "dt", "dd": "dd", "blockquote": "blockquote",
}  # fmt: skip
_NUMBER = re.compile(r"\s*([+-]?\d{1,9})")


class Places:
    """The path of every node of a page.

    passed: for every node, whether it is no place, whatever its tag.
    """

    def __init__(self, dom: Dom, passed: BoolArray) -> None:
        self._dom = dom
        chosen = dom.has_tag(_TAGS.keys()) & ~passed
        self._nearest = dom.nearest(chosen)
        self._paths: dict[int, Path] = {-1: ()}
        self._last_item: dict[int, int] = {}
        self._next_number: dict[int, int] = {}
        self._entries: dict[int, tuple[int, PlaceTag]] = {}
        # In document order, so that the path of an ancestor is known first.
        for node in np.flatnonzero(chosen).tolist():
            self._paths[node] = self._path(node)

    def of(self, node: int) -> Path:
        """The places around a node, outermost first. The last is never a list."""
        path = self._paths[int(self._nearest[node])]
        while path and path[-1].tag in LISTS:
            path = path[:-1]
        return path

    def _path(self, node: int) -> Path:
        parent = int(self._dom.parents[node])
        outer = int(self._nearest[parent]) if parent >= 0 else -1
        tag = _TAGS[self._dom.tags[node]]
        path = self._paths[outer]
        if len(path) > MAX_PLACES - 2:
            return path
        in_list = bool(path) and path[-1].tag in LISTS
        number = entry = None
        if tag in ITEMS:
            self._last_item[outer] = node
            if not in_list:
                path = (*path, Place(parent, "ul" if tag == "li" else "dl"))
            elif path[-1].tag == "ol":
                number = self._number(outer, node)
            entry = None if tag == "li" else self._entry(path[-1].node, node, tag)
        elif in_list:
            # A list or quotation that is a direct child of a list belongs to the last item.
            item = self._last_item.get(outer)
            path = path[:-1] if item is None else self._paths[item]
        return (*path, Place(node, tag, number, entry))

    def _entry(self, group: int, node: int, tag: PlaceTag) -> int:
        """The entry of a term or definition in this list.

        A term follows the terms of its entry; a definition follows any part of it.
        """
        entry, before = self._entries.get(group, (node, "dd"))
        if tag == before == "dt" or (tag == "dd" and self._dom.tags[entry] == "dt"):
            node = entry
        self._entries[group] = node, tag
        return node

    def _number(self, ordered_list: int, item: int) -> int:
        """The number that a browser shows for the item."""
        is_reversed = "reversed" in self._dom.attributes[ordered_list]
        following = self._next_number.get(ordered_list)
        if following is None:
            first = int(self._items[ordered_list]) if is_reversed else 1
            following = self._declared(ordered_list, "start", first)
        number = self._declared(item, "value", following)
        self._next_number[ordered_list] = number + (-1 if is_reversed else 1)
        return number

    @cached_property
    def _items(self) -> npt.NDArray[np.intp]:
        """For every node that is a list, the number of its items."""
        lists = self._nearest[np.maximum(self._dom.parents[self._dom.elements("li")], 0)]
        return np.bincount(lists[lists >= 0], minlength=len(self._dom))

    def _declared(self, node: int, attribute: str, otherwise: int) -> int:
        found = _NUMBER.match(self._dom.attributes[node].get(attribute) or "")
        return int(found[1]) if found else otherwise

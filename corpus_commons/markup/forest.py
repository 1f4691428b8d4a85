"""Several pages as one tree with several roots, so that arrays serve all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final
from weakref import WeakValueDictionary

import numpy as np

from corpus_commons.markup.attribute import Attribute, joined_codes
from corpus_commons.markup.dom import Dom
from corpus_commons.markup.tree import IntArray, Tree


class Forest(Tree):
    """The nodes of the pages, one page after another.

    pages: at least one. roots: the root of every page. page_of: the page of every node.
    """

    def __init__(self, pages: Sequence[Dom]) -> None:
        self.pages = pages
        lengths = [len(page) for page in pages]
        self.roots: IntArray = (np.cumsum(lengths) - lengths).astype(np.int32)
        self.page_of: IntArray = np.repeat(np.arange(len(pages), dtype=np.int32), lengths)
        self._starts = self.roots.tolist()
        self._attributes: dict[str, Attribute] = {}
        starts = self.roots[self.page_of]
        parents = np.concatenate([page.parents for page in pages])
        self.parents = np.where(parents < 0, parents, parents + starts)
        self.ends = np.concatenate([page.ends for page in pages]) + starts
        self.depths = np.concatenate([page.depths for page in pages])

    def attribute(self, name: str) -> Attribute:
        found = self._attributes.get(name)
        if found is None:
            parts = [page.attribute(name) for page in self.pages]
            found = self._attributes[name] = Attribute.joined(parts, self._starts)
        return found

    @cached_property
    def tag_codes(self) -> tuple[list[str], IntArray]:
        return joined_codes(page.tag_codes for page in self.pages)

    @cached_property
    def lengths(self) -> IntArray:
        return np.concatenate([page.lengths for page in self.pages])


# By the identity of the first page, which a forest keeps alive.
_IN_USE: Final[WeakValueDictionary[int, Forest]] = WeakValueDictionary()


def forest_of(pages: Sequence[Dom]) -> Forest:
    """The forest of these pages; the same one for all who ask, as long as any of them keeps it."""
    found = _IN_USE.get(id(pages[0]))
    if found is None or [*map(id, found.pages)] != [*map(id, pages)]:
        found = _IN_USE[id(pages[0])] = Forest(pages)
    return found

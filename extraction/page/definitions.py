"""Definitions: what a page says of terms, in a ``<dl>``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import IntArray

# Deeper definitions count as this deep, because each adds an indent to every line inside it.
_DEEPEST: Final = 8


def depths(dom: Dom) -> IntArray:
    """For every node, in how many definitions of terms it is; a list without terms has none."""
    definitions, terms = dom.elements("dd"), dom.elements("dt")
    if len(definitions) and len(terms):
        lists = dom.nearest(dom.has_tag({"dl"}))
        definitions = definitions[np.isin(lists[definitions], lists[terms])]
        return np.minimum(dom.nesting(definitions), _DEEPEST)
    return np.zeros(len(dom), dtype=np.int32)

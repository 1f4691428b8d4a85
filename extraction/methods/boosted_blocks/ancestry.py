"""The distance from every block up to its nearest ancestor of each group of tags and names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from extraction.methods.boosted_blocks.naming import NAMES
from extraction.methods.boosted_blocks.view import FAR

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom, IntArray
    from extraction.methods.boosted_blocks.view import Columns, PageView

# Groups of tags, each one feature: the tags of a group are not told apart.
_TAG_GROUPS: dict[str, frozenset[str]] = {
    name.split()[0]: frozenset(name.split())
    for name in (
        "p", "div", "li", "ul ol", "table", "td th", "tr", "dl dt dd", "h1", "h2", "h3",
        "h4 h5 h6", "a", "span", "article", "main", "section", "nav", "header", "footer", "aside",
        "form", "button input textarea", "figure figcaption", "blockquote", "pre code", "label",
        "select option", "details summary", "noscript", "b strong", "em i", "time", "address",
    )
}  # fmt: skip
_BITS = np.arange(len(NAMES.names))
_TAG_COLUMN = {
    tag: column for column, tags in enumerate(_TAG_GROUPS.values(), len(_BITS)) for tag in tags
}
_HIDDEN = len(NAMES.names) + len(_TAG_GROUPS)
_ARIA_HIDDEN = _HIDDEN + 1
_COLUMNS = (
    *(f"name-{name}" for name in NAMES.names),
    *(f"tag-{name}" for name in _TAG_GROUPS),
    "hidden",
    "aria-hidden",
)


class Ancestry:
    """The groups of every element: by its names, by its tag, and whether it is hidden.

    has: (nodes + 1, groups), whether a node belongs to a group. The last row stands for "no node",
        the parent of the root.
    counts: for every group of names, the number of its elements.
    """

    def __init__(self, view: PageView) -> None:
        dom, naming = view.dom, view.naming
        self.has = np.zeros((len(dom) + 1, len(_COLUMNS)), dtype=np.bool_)
        nodes, columns = _tagged(dom)
        self.has[nodes, columns] = True
        named = naming.groups()[:, None] >> _BITS & 1
        self.has[naming.elements, : len(_BITS)] = named
        self.counts = named.sum(axis=0)
        self.has[dom.attribute("hidden").nodes, _HIDDEN] = True
        self.has[dom.hidden_by_style, _HIDDEN] = True
        aria_hidden = dom.attribute("aria-hidden").where(lambda value: value == "true")
        self.has[aria_hidden, _ARIA_HIDDEN] = True

    def columns(self, view: PageView) -> Columns:
        """Steps up from every block to the nearest element of each group; FAR if there is none."""
        distances = np.full((len(view), len(_COLUMNS)), FAR, dtype=np.uint8)
        for steps, nodes in reversed([*enumerate(view.ways_up)]):
            np.copyto(distances, np.uint8(steps), where=self.has[nodes])
        return dict(zip(_COLUMNS, distances.T, strict=True))

    def count(self, name: str) -> int:
        """The number of elements with a name of this group."""
        return int(self.counts[NAMES.names.index(name)])


def _tagged(dom: Dom) -> tuple[npt.NDArray[np.intp], IntArray]:
    """The nodes whose tag is in a group, and the group's column."""
    distinct, codes = dom.tag_codes
    columns = np.array([_TAG_COLUMN.get(tag, -1) for tag in distinct], dtype=np.int32)[codes]
    nodes = np.flatnonzero(columns >= 0)
    return nodes, columns[nodes]

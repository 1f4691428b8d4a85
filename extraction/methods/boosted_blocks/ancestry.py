"""How far above every block the nearest telling element is: by tag, by name, by being hidden."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from extraction.methods.boosted_blocks.naming import GROUP_NAMES, groups_of

if TYPE_CHECKING:
    from extraction.methods.boosted_blocks.view import Columns, PageView
    from markup.dom import Dom, IntArray

# Tags that are told apart; those of one group say the same.
_TAG_GROUPS: dict[str, frozenset[str]] = {
    name.split()[0]: frozenset(name.split())
    for name in (
        "p", "div", "li", "ul ol", "table", "td th", "tr", "dl dt dd", "h1", "h2", "h3",
        "h4 h5 h6", "a", "span", "article", "main", "section", "nav", "header", "footer", "aside",
        "form", "button input textarea", "figure figcaption", "blockquote", "pre code", "label",
        "select option", "details summary", "noscript", "b strong", "em i", "time", "address",
    )
}  # fmt: skip
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
FAR = 24

_TAG_COLUMN = {tag: column for column, tags in enumerate(_TAG_GROUPS.values()) for tag in tags}
_HIDDEN = len(GROUP_NAMES) + len(_TAG_GROUPS)
_ARIA_HIDDEN = _HIDDEN + 1
_NAMES = (
    *(f"name-{name}" for name in GROUP_NAMES),
    *(f"tag-{name}" for name in _TAG_GROUPS),
    "hidden",
    "aria-hidden",
)


class Ancestry:
    """For every node, the steps up to the nearest element of each group; FAR where none is.

    distances: (nodes, groups).
    counts: for every group of names, the elements that have it.
    """

    def __init__(self, dom: Dom) -> None:
        has = np.zeros((len(dom), len(_NAMES)), dtype=np.bool_)
        nodes, groups = _marks(dom)
        has[nodes, groups] = True
        self.counts = np.bincount(groups, minlength=len(_NAMES))
        self.distances = _distances(dom, has)

    def columns(self, view: PageView) -> Columns:
        """The distances of every block."""
        distances = self.distances[view.hosts]
        return {name: distances[:, column] for column, name in enumerate(_NAMES)}

    def count(self, name: str) -> int:
        """How many elements of the page have a name of this group."""
        return int(self.counts[GROUP_NAMES.index(name)])


def _marks(dom: Dom) -> tuple[list[int], list[int]]:
    """The (node, group) pairs of the page."""
    nodes: list[int] = []
    groups: list[int] = []
    first_tag = len(GROUP_NAMES)
    for node, (tag, attributes) in enumerate(zip(dom.tags, dom.attributes, strict=True)):
        column = _TAG_COLUMN.get(tag)
        if column is not None:
            nodes.append(node)
            groups.append(first_tag + column)
        if not attributes:
            continue
        found = groups_of(attributes)
        nodes.extend([node] * len(found))
        groups.extend(found)
        if "hidden" in attributes or _HIDING_STYLE.search(attributes.get("style") or ""):
            nodes.append(node)
            groups.append(_HIDDEN)
        if attributes.get("aria-hidden") == "true":
            nodes.append(node)
            groups.append(_ARIA_HIDDEN)
    return nodes, groups


def _distances(dom: Dom, has: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    distances = np.where(has, np.uint8(0), np.uint8(FAR))
    for level in levels(dom):
        above = np.minimum(distances[dom.parents[level]] + 1, FAR)
        distances[level] = np.minimum(distances[level], above)
    return distances


def levels(dom: Dom) -> list[IntArray]:
    """The nodes below the root by depth, the upper levels first."""
    order = np.argsort(dom.depths, kind="stable").astype(np.int32)
    cuts = np.searchsorted(dom.depths[order], np.arange(1, int(dom.depths.max()) + 1))
    return np.split(order, cuts)[1:]

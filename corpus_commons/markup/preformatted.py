"""Elements that preserve white space: ``<pre>``, similar elements, and those used like one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from corpus_commons.markup.tags import BLOCK_LEVEL, PREFORMATTED

if TYPE_CHECKING:
    from collections.abc import Set

    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray, IntArray

# Elements with the numbers of lines. Hexo, WordPress and SyntaxHighlighter; Rouge; Pygments; Hugo;
# highlight.js; React's highlighter; VuePress; CSDN; Crayon; GitHub.
GUTTER: Final = re.compile(
    r"(?:^|\s)(?:gutter|lineno|rouge-gutter|linenos|linenodiv|lnt|ln|hljs-ln-numbers"
    r"|line-?numbers?(?:-wrapper)?|react-syntax-highlighter-line-number|pre-numbering"
    r"|crayon-nums?(?:-content)?|blob-num)(?:\s|$)",
    re.I,
)
_PRE: Final = re.compile(r"(?<![\w-])white-space\s*:\s*pre\s*(?:[;!]|$)")
# Doxygen's listings, and their lines.
_FRAGMENT: Final = re.compile(r"(?:^|\s)fragment(?:\s|$)")
_LINE: Final = re.compile(r"(?:^|\s)line(?:\s|$)")
_LINES: Final = frozenset(("div",))
_ROWS: Final = frozenset(("table", "thead", "tbody", "tr", "td"))


def preformatted(dom: Dom) -> BoolArray:
    """For every node, whether it is such an element.

    A styled ``<div>`` counts only if it contains several lines and nothing else, like code copied
    from an editor; others are styled to prevent line breaks in a label. A ``<code>`` with ``<br>``
    and a table of lines with their numbers are listings, too, if they contain nothing else.
    """
    found = dom.has_tag(PREFORMATTED)
    boxes = np.concatenate([_boxes_of_lines(dom), _broken_code(dom)])
    if len(boxes):
        found[_holding_only(_LINES, dom, boxes)] = True
        # One inside another is a line of it.
        found[boxes[dom.nearest(found)[dom.parents[boxes]] >= 0]] = False
    tables = _numbered_tables(dom)
    if len(tables):
        found[_holding_only(_LINES | _ROWS, dom, tables)] = True
    return found


def _holding_only(tags: Set[str], dom: Dom, nodes: IntArray) -> IntArray:
    """Those of the nodes that contain no block-level elements with other tags."""
    others = dom.subtree_sums(dom.has_tag(BLOCK_LEVEL - tags).astype(np.int32))
    holding: IntArray = nodes[others[nodes] == 0]
    return holding


def _boxes_of_lines(dom: Dom) -> IntArray:
    """Every ``<div>`` of several lines that its style or its class preserves."""
    styled = dom.attribute("style").where(
        lambda value: "white-space" in value and _PRE.search(value)
    )
    named = dom.attribute("class").where(
        lambda value: "fragment" in value and _FRAGMENT.search(value)
    )
    if len(named):
        named = np.intersect1d(named, dom.parents[dom.attribute("class").where(_LINE.search)])
    boxes = np.union1d(styled, named)
    if not len(boxes):
        return boxes
    is_div = dom.has_tag({"div"})
    has_break = np.array(["\n" in text.strip() for text in dom.texts], dtype=np.bool_)
    # The sum includes the <div> itself.
    lines = dom.subtree_sums((is_div | dom.has_tag({"br"}) | has_break).astype(np.int32))
    return boxes[is_div[boxes] & (lines[boxes] > 1)]


def _broken_code(dom: Dom) -> IntArray:
    """Every ``<code>`` with a ``<br>`` between two of its texts."""
    breaks = dom.elements("br")
    if not len(breaks) or not len(dom.elements("code")):
        return breaks[:0]
    codes = dom.nearest(dom.has_tag({"code"}))[breaks]
    breaks, codes = breaks[codes >= 0], codes[codes >= 0]
    texts = np.cumsum(dom.has_text)
    is_between = (texts[codes] < texts[breaks]) & (texts[breaks] < texts[dom.ends[codes] - 1])
    return np.unique(codes[is_between])


def _numbered_tables(dom: Dom) -> IntArray:
    """The tables with a cell that holds nothing but numbers of lines."""
    cells = dom.elements("td")
    if not len(cells):
        return cells
    gutters = np.intersect1d(cells, dom.attribute("class").where(GUTTER.search))
    if not len(gutters):
        return gutters
    gutters = _holding_only(_LINES | {"td"}, dom, gutters)
    tables, firsts = np.unique(dom.nearest(dom.has_tag({"table"}))[gutters], return_index=True)
    is_numbered = [_is_numbered(dom, gutter) for gutter in gutters[firsts].tolist()]
    return tables[np.array(is_numbered, dtype=np.bool_) & (tables >= 0)]


def _is_numbered(dom: Dom, gutter: int) -> bool:
    """Whether it has nothing but numbers; scripts and style sheets may show them."""
    text = "".join("".join(dom.texts[gutter : dom.ends[gutter]]).split())
    return text.isdigit() or (not text and "data-line-number" in dom.attributes[gutter])

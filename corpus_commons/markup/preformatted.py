"""Elements that preserve white space: ``<pre>``, similar elements, and those styled like one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from corpus_commons.markup.tags import BLOCK_LEVEL, PREFORMATTED

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray

_PRE = re.compile(r"(?<![\w-])white-space\s*:\s*pre\s*(?:[;!]|$)")


def preformatted(dom: Dom) -> BoolArray:
    """For every node, whether it is such an element.

    A styled ``<div>`` counts only if it contains several lines and nothing else, like code copied
    from an editor; others are styled to prevent line breaks in a label.
    """
    found = dom.has_tag(PREFORMATTED)
    styled = dom.attribute("style").where(
        lambda value: "white-space" in value and _PRE.search(value)
    )
    if not len(styled):
        return found
    is_div = dom.has_tag({"div"})
    others = dom.subtree_sums((dom.has_tag(BLOCK_LEVEL) & ~is_div).astype(np.int32))
    has_break = np.array(["\n" in text.strip() for text in dom.texts], dtype=np.bool_)
    # The sum includes the <div> itself.
    lines = dom.subtree_sums((is_div | dom.has_tag({"br"}) | has_break).astype(np.int32))
    styled = styled[is_div[styled] & (others[styled] == 0) & (lines[styled] > 1)]
    found[styled] = True
    # One inside another is a line of it.
    found[styled[dom.nearest(found)[dom.parents[styled]] >= 0]] = False
    return found

"""Quotations that are posts: vBulletin indents what its users write by a ``<blockquote>``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray

_POST: Final = re.compile(r"(?:^|\s)post[_-]?(?:body|content|message|text)(?:\s|$)", re.I)


def layout_quotations(dom: Dom) -> BoolArray:
    """For every node, whether it is a ``<blockquote>`` whose class says that it is a post."""
    found = np.zeros(len(dom), dtype=np.bool_)
    for node in dom.elements("blockquote").tolist():
        found[node] = _POST.search(dom.attributes[node].get("class") or "") is not None
    return found

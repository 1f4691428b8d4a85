"""The line above a quotation that says whose it is: a ``<cite>``, as most forums write it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import IntArray

# The most nodes between the start of a quotation and a <cite> that begins it.
_MOST_BEFORE: Final = 8
# What continues a sentence that begins with the title of a work.
_GOES_ON: Final = re.compile(r"[ \u00a0]+\S|[,.;:!?](?:\s|$)|[)\]'’]")


def attributions(dom: Dom) -> IntArray:
    """Every ``<cite>`` that begins a quotation and is not part of its first sentence."""
    cites = dom.elements("cite")
    if not len(cites) or not len(dom.elements("blockquote")):
        return cites[:0]
    quotations = dom.nearest(dom.has_tag({"blockquote"}))[cites]
    texts = np.cumsum(dom.has_text)
    begins = (quotations >= np.maximum(cites - _MOST_BEFORE, 0)) & (
        texts[quotations] == texts[cites]
    )
    return np.array([c for c in cites[begins].tolist() if not _goes_on(dom, c)], dtype=np.int32)


def _goes_on(dom: Dom, cite: int) -> bool:
    """Whether the text after it continues its sentence."""
    after = int(dom.ends[cite])
    return after < len(dom) and _GOES_ON.match(dom.texts[after]) is not None

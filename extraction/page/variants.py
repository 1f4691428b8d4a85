"""A listing in several languages: several ``<code>`` in a ``<pre>``; a script shows one of them."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import IntArray


def variants(dom: Dom) -> IntArray:
    """Every ``<code>`` in a ``<pre>`` that has one of another class right before or after it."""
    codes = dom.elements("code")
    lefts, rights = codes[:-1], codes[1:]
    is_next = (dom.ends[lefts] == rights) & dom.preformatted[dom.parents[rights]]
    pairs = zip(lefts[is_next].tolist(), rights[is_next].tolist(), strict=True)
    found = [pair for pair in pairs if _class(dom, pair[0]) != _class(dom, pair[1])]
    return np.array(sorted({*chain.from_iterable(found)}), dtype=np.int32)


def _class(dom: Dom, node: int) -> str | None:
    return dom.attributes[node].get("class")

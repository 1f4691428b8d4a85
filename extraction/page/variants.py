"""A listing in several languages: several ``<code>`` in a ``<pre>``; a script shows one of them."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import IntArray

_LANGUAGE: Final = re.compile(r"(?<!\w)lang(?:uage)?-\w")


def variants(dom: Dom) -> IntArray:
    """Every ``<code>`` in a ``<pre>`` that has one of another class right before or after it.

    It ends with a line, or its class names a language: what a computer and its user write in turns
    is one listing.
    """
    codes = dom.elements("code")
    lefts, rights = codes[:-1], codes[1:]
    is_next = (dom.ends[lefts] == rights) & (dom.parents[lefts] == dom.parents[rights])
    is_next &= dom.preformatted[dom.parents[rights]]
    pairs = zip(lefts[is_next].tolist(), rights[is_next].tolist(), strict=True)
    found = [pair for pair in pairs if _are_variants(dom, *pair)]
    return np.array(sorted({*chain.from_iterable(found)}), dtype=np.int32)


def _are_variants(dom: Dom, left: int, right: int) -> bool:
    one, other = (dom.attributes[node].get("class") or "" for node in (left, right))
    if one == other:
        return False
    text = "".join(dom.texts[left : dom.ends[left]])
    return text.endswith("\n") or bool(_LANGUAGE.search(one) and _LANGUAGE.search(other))

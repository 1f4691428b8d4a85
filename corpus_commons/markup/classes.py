"""Finds elements by their class, and the ancestors of an element."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from corpus_commons.markup.dom import Dom


def classed(dom: Dom, words: re.Pattern[str]) -> list[int]:
    """The elements whose class attribute has one of the words, in document order.

    words: in lower case; a match is within a line.
    """
    classes = dom.attribute("class")
    values = [value.lower() for value in classes.values]
    # One search in all of them is faster than one in each, of which there are hundreds.
    ends = np.cumsum([len(value) + 1 for value in values])
    places = [match.start() for match in words.finditer("\n".join(values))]
    chosen = np.zeros(len(values), dtype=np.bool_)
    chosen[np.searchsorted(ends, places, side="right")] = True
    found: list[int] = classes.nodes[chosen[classes.codes]].tolist()
    return found


def nearest(dom: Dom, node: int, count: int) -> Iterator[int]:
    """The element and its nearest ancestors, ``count`` in all."""
    for _ in range(count):
        if node < 0:
            return
        yield node
        node = int(dom.parents[node])

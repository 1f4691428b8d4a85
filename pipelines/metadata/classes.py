"""Finds elements by their class, and the ancestors of an element."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpus_commons.markup.dom import Dom


def classed(dom: Dom, words: re.Pattern[str]) -> list[int]:
    """The elements whose class attribute matches, in document order."""
    found: list[int] = dom.attribute("class").where(words.search).tolist()
    return found


def nearest(dom: Dom, node: int, count: int) -> Iterator[int]:
    """The element and its nearest ancestors, ``count`` in all."""
    for _ in range(count):
        if node < 0:
            return
        yield node
        node = int(dom.parents[node])

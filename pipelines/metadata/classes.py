"""Elements by the words of their class, and those round an element."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markup.dom import Dom


def classed(dom: Dom, words: re.Pattern[str]) -> list[int]:
    """The elements whose class has any of the words, in document order."""
    found: list[int] = dom.attribute("class").where(words.search).tolist()
    return found


def nearest(dom: Dom, node: int, count: int) -> Iterator[int]:
    """The element and those round it, so many in all."""
    for _ in range(count):
        if node < 0:
            return
        yield node
        node = int(dom.parents[node])

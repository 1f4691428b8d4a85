"""Elements by the words of their class."""

from __future__ import annotations

import re

from markup.dom import Dom


def classed(dom: Dom, words: re.Pattern[str]) -> list[int]:
    """The elements whose class has any of the words, in document order."""
    nodes, classes = dom.having("class")
    # Most elements share their class with others.
    telling = {names for names in set(classes) if words.search(names)}
    return [node for node, names in zip(nodes, classes, strict=True) if names in telling]

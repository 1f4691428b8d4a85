"""Elements by the words of their class."""

from __future__ import annotations

import re

from markup.dom import Dom


def classed(dom: Dom, words: re.Pattern[str]) -> list[int]:
    """The elements whose class has any of the words, in document order."""
    found: list[int] = dom.attribute("class").where(words.search).tolist()
    return found

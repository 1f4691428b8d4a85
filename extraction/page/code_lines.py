"""Lines of code that are separate elements, as highlighters and editors produce them."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from corpus_commons.markup.tags import BLOCK_LEVEL

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray, IntArray

# What contains them; all but <pre> are preformatted only if they contain nothing else.
_PRES: Final = frozenset(("code", "div", "pre", "table"))
_LINES: Final = frozenset(("div", "li", "ol", "ul"))
_ROWS: Final = frozenset(("thead", "tbody", "tr", "td"))
# A style or a known class that makes another element a line.
_LINE_STYLE: Final = re.compile(
    r"(?<![\w-])display\s*:\s*(?:block|flex|grid|list-item|table|table-row)\s*(?:[;!]|$)"
)
_LINE_CLASS: Final = "gatsby-highlight-code-line"
# A class of lines that most pages separate by line feeds or <br>, too.
_PERHAPS_LINES = re.compile(r"(?:^|\s)(?:code-|token-)?line(?:\s|$)")
# An element that contains any of these is not just lines and a copy button, but laid-out content.
_OTHER: Final = BLOCK_LEVEL - _LINES - {"button"}


class CodeLines:
    """The preformatted elements of a page that contain nothing but lines.

    inside: for every node, whether it is in one of them. elements: the lines that are elements.
    """

    def __init__(self, dom: Dom) -> None:
        self._dom = dom
        pres = [n for n in np.flatnonzero(dom.preformatted).tolist() if dom.tags[n] in _PRES]
        if not pres:
            self.inside = self.elements = np.zeros(len(dom), dtype=np.bool_)
            return
        is_other = dom.has_tag(_OTHER).astype(np.int32)
        holds_other = dom.subtree_sums(is_other) > is_other
        of_lines = [n for n in pres if dom.tags[n] != "pre" or not holds_other[n]]
        self.inside = dom.covered(np.array(of_lines, np.int32))
        is_line = dom.has_tag(_LINES | _ROWS) | _styled_as_lines(dom)
        self.elements = self.inside & is_line & ~dom.preformatted

    @cached_property
    def numbers(self) -> IntArray:
        """For every node, how many lines have begun or ended before it or at it."""
        return self._dom.edges_passed(self.elements)

    def between(self) -> BoolArray:
        """White space between lines, which is not a line itself."""
        if not self.elements.any():
            return self.elements
        dom = self._dom
        is_innermost = self.elements & (dom.subtree_sums(self.elements.astype(np.int32)) == 1)
        filled = np.zeros(int(self.numbers[-1]) + 1, dtype=np.bool_)
        filled[self.numbers[dom.has_text]] = True
        holders = dom.nearest(self.elements | dom.has_tag(BLOCK_LEVEL))
        between: BoolArray = self.inside & dom.is_text & ~is_innermost[holders]
        return between & ~filled[self.numbers]


def _styled_as_lines(dom: Dom) -> BoolArray:
    """The inline elements that are styled as lines."""
    styled = np.zeros(len(dom), dtype=np.bool_)
    by_style = dom.attribute("style").where(
        lambda value: "display" in value and _LINE_STYLE.search(value)
    )
    styled[by_style] = True
    styled[dom.attribute("class").where(lambda value: _LINE_CLASS in value)] = True
    perhaps = dom.attribute("class").where(_PERHAPS_LINES.search)
    if len(perhaps):
        around = dom.parents[perhaps]
        feeds = dom.subtree_sums(np.array(["\n" in text for text in dom.texts], np.int32))
        is_broken = np.isin(around, dom.parents[dom.elements("br")])
        styled[perhaps[(feeds[around] == 0) & ~is_broken]] = True
    return styled & ~dom.has_tag(BLOCK_LEVEL)

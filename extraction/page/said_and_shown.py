"""Text that a line has twice: shown, and in the same or other words for screen readers."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpus_commons.markup.dom import Dom


def said_and_shown(dom: Dom) -> Iterator[int]:
    """The text nodes to leave out so that such a text is there once.

    ``aria-hidden`` keeps from screen readers the shown words that they have others for. What they
    say at the end of a link to a new window is about the window.
    """
    said = dom.only_said
    if not said.any():
        return
    lines = _Lines(dom)
    windows = dom.attribute("target").where(lambda value: value == "_blank")
    opens = set(windows.tolist())
    for element in np.flatnonzero(said & ~said[dom.parents]).tolist():
        spoken = lines.within(element)
        link = int(dom.links[element])
        if spoken and link in opens and lines.ends(link, spoken):
            yield from spoken
            continue
        for shown in lines.beside(spoken):
            words = lines.words(shown)
            if said[shown].any() or not words:
                continue
            if words == lines.words(spoken):
                # Screen readers are not told how a price or a word is cut into pieces.
                yield from max(spoken, shown, key=len)
            elif lines.is_unsaid(shown[0]):
                yield from spoken


class _Lines:
    """The visible texts of a page, and what is beside them in their line."""

    def __init__(self, dom: Dom) -> None:
        self._dom = dom
        self._texts = np.flatnonzero(dom.has_text & dom.visible)
        unsaid = np.zeros(len(dom), dtype=np.bool_)
        unsaid[dom.attribute("aria-hidden").where(lambda value: value == "true")] = True
        # A picture of an icon font.
        unsaid &= ~dom.has_tag({"i"})
        self._unsaid = dom.nearest(unsaid)

    def within(self, element: int) -> list[int]:
        """The texts in an element."""
        start, stop = np.searchsorted(self._texts, (element, self._dom.ends[element]))
        found: list[int] = self._texts[start:stop].tolist()
        return found

    def words(self, nodes: list[int]) -> str:
        """The letters and digits of the texts."""
        return "".join(filter(str.isalnum, chain.from_iterable(self._dom.texts[n] for n in nodes)))

    def is_unsaid(self, node: int) -> bool:
        """Whether the text is kept from screen readers."""
        return bool(self._unsaid[node] >= 0)

    def ends(self, element: int, nodes: list[int]) -> bool:
        """Whether the element ends with these texts, after others."""
        start, stop = np.searchsorted(self._texts, (element, self._dom.ends[element]))
        return bool(self._texts[stop - 1] == nodes[-1] and self._texts[start] < nodes[0])

    def beside(self, nodes: list[int]) -> Iterator[list[int]]:
        """The text before these in their line, and the one after them; all of it in an element that
        is kept from screen readers.
        """
        if not nodes:
            return
        first, last = np.searchsorted(self._texts, (nodes[0], nodes[-1])).tolist()
        containers = self._dom.containers
        for place in (first - 1, last + 1):
            if 0 <= place < len(self._texts):
                node = int(self._texts[place])
                around = int(self._unsaid[node])
                # Not an element around both, which may be the whole page.
                is_around = 0 <= around < nodes[0] < self._dom.ends[around]
                if containers[node] == containers[nodes[0]] and not is_around:
                    yield [node] if around < 0 else self.within(around)

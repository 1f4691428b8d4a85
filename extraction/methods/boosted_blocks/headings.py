"""The headings and terms that are kept with the text below them."""

from __future__ import annotations

import re
from itertools import dropwhile
from typing import TYPE_CHECKING, Final

import numpy as np

from corpus_commons.markup.measures import words_in
from corpus_commons.markup.tags import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray, IntArray
    from extraction.methods.boosted_blocks.arrays import Floats
    from extraction.methods.boosted_blocks.view import PageView

# The headings of menus and footers are less probable than this.
_LEAST: Final = 0.02
# "33.2 Devices", "A.9. Devuan", "Chapter 22. Roles", in any language.
_NUMBERED: Final = re.compile(r"\s*(?:(?:\d{1,3}|[A-Z])(?:\.\d{1,3})+\.?|\w+\s+\d+\.)\s")


def heading_levels(page: PageView, whole: IntArray) -> IntArray:
    """For every block, the level of the heading that it is, from 1; 0 for all others.

    Hidden headings, buttons in headings and those in a table that is kept whole are none.
    """
    dom = page.dom
    is_heading = (page.kinds == "heading") & (whole < 0) & page.shown & page.written
    elements = dom.nearest(dom.has_tag(HEADINGS))[page.segmentation.firsts]
    levels = np.zeros(len(page), dtype=np.int32)
    levels[is_heading] = [int(dom.tags[node][1]) for node in elements[is_heading].tolist()]
    return levels


def own_heading(kept: BoolArray, page: PageView, levels: IntArray) -> int | None:
    """The block that is the heading of the document, if there is one.

    It is the last one before the first kept text that is an ``<h1>`` or says what begins or ends
    the page's ``<title>``; if none does, the first that has the number of a section.
    """
    texts = np.flatnonzero(kept & (levels == 0))
    before = np.flatnonzero(levels[: texts[0]] > 0) if len(texts) else texts
    title = _title(page.dom)
    for block in before[::-1].tolist():
        if levels[block] == 1 or _is_part(page.texts[block], title):
            return int(block)
    return next((int(block) for block in before if is_numbered(page.texts[block])), None)


def is_numbered(heading: str) -> bool:
    """Whether it begins with the number of a section.

    >>> is_numbered("A.9. Devuan"), is_numbered("7 tips")
    (True, False)
    """
    return _NUMBERED.match(heading) is not None


def with_terms(kept: BoolArray, probabilities: Floats, page: PageView, least: float) -> BoolArray:
    """The kept blocks, and all terms right before a kept definition or before such a term.

    least: the least probability of a term.
    """
    if not len(page.dom.elements("dt")):
        return kept
    kept = kept.copy()
    in_term = page.dom.nearest(page.dom.has_tag({"dt"}))[page.segmentation.firsts] >= 0
    for block, following in _from_below(in_term, page):
        kept[block] |= kept[following] and probabilities[block] >= least
    return kept


def with_headings(
    kept: BoolArray, probabilities: Floats, page: PageView, levels: IntArray
) -> BoolArray:
    """The kept blocks, and all headings right before kept text, or before such a subheading."""
    kept = kept.copy()
    for block, following in _from_below(levels > 0, page):
        is_its_own = levels[following] == 0 or levels[following] > levels[block]
        kept[block] |= kept[following] and is_its_own and probabilities[block] >= _LEAST
    return kept


def _from_below(chosen: BoolArray, page: PageView) -> Iterator[tuple[int, int]]:
    """Every chosen block that is shown, with the one below it; the last first, so that it is known
    whether that is kept.
    """
    shown = np.flatnonzero(page.shown)
    for place in np.flatnonzero(chosen[shown[:-1]])[::-1].tolist():
        yield int(shown[place]), int(shown[place + 1])


def _title(dom: Dom) -> list[str]:
    for node in dom.elements("title")[:1].tolist():
        return words_in(" ".join(dom.texts[node : dom.ends[node]]).lower())
    return []


def _is_part(heading: str, title: list[str]) -> bool:
    """Whether the words of the heading, but for its number, begin or end the title."""
    words = words_in(heading.lower())
    unnumbered = list(dropwhile(lambda word: word[0].isdigit(), words))
    length = len(unnumbered)
    return bool(unnumbered) and unnumbered in (title[:length], title[-length:])

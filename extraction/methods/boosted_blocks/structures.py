"""Decides what to keep by the structures of a page: tables, listings, lists, sections.

The trees judge block by block, and are unsure of what is short: a cell, a term, a line of code.
What such a block belongs to, and what stands around it, says more. Any page keeps what it announces
(``announced``) and the formulas amid its text (``formulas``), tables and listings are decided whole
(``wholes``), definitions keep their terms, and what unfolds its label (``unfolding``); on pages
that are no texts, posts are kept in place of their quotations (``quotations``); texts, which are
articles and documentation, keep their headings (``headings``) and their footnotes (``footnotes``).
Headings of what is left out go (``lone_headings``).

A manual is one text, in which tables, listings and definitions follow each other: a page is of one
if it may be documentation, or if its heading has the number of a section. There, what lies between
kept blocks, or follows them in their container, is kept, too, if it is not improbable: a stretch is
the largest element without any kept text, and is judged as a whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from corpus_commons.markup.tags import HEADINGS, LIST_ITEMS, PREFORMATTED
from extraction.methods.boosted_blocks.announced import with_announced
from extraction.methods.boosted_blocks.decoding import decide
from extraction.methods.boosted_blocks.footnotes import footnotes
from extraction.methods.boosted_blocks.formulas import with_formulas
from extraction.methods.boosted_blocks.headings import (
    heading_levels,
    is_numbered,
    own_heading,
    with_headings,
    with_terms,
)
from extraction.methods.boosted_blocks.lone_headings import without_contents, without_ends
from extraction.methods.boosted_blocks.quotations import posts_for_quotations
from extraction.methods.boosted_blocks.unfolding import with_labels
from extraction.methods.boosted_blocks.wholes import completed, wholes

if TYPE_CHECKING:
    import numpy.typing as npt

    from corpus_commons.markup.tree import BoolArray, IntArray
    from extraction.methods.boosted_blocks.arrays import Floats
    from extraction.methods.boosted_blocks.decoding import Policy
    from extraction.methods.boosted_blocks.page_judgement import Likeness
    from extraction.methods.boosted_blocks.view import PageView

# The least probability of a stretch that is mostly tables and listings, of such a one with mostly
# links, of one that has text in elements made for text, and of one of boxes (``<div>``,
# ``<section>`` …) alone or mostly of links.
_LEAST_OF_WHOLES: Final = 0.02
_LEAST_OF_LINKED_WHOLES: Final = 0.1
_LEAST_OF_TEXT: Final = 0.07
_LEAST_OF_BOXES: Final = 0.2
# The least probability of the terms of kept definitions, in manuals less.
_LEAST_OF_TERMS: Final = 0.25
_LEAST_IN_MANUALS: Final = 0.02
_FOR_TEXT: Final = (
    HEADINGS | LIST_ITEMS | PREFORMATTED | {"p", "blockquote", "figcaption", "caption"}
)
# The content's container has this share of the kept words.
_MOST: Final = 0.9


def decide_structures(
    probabilities: Floats, page: PageView, policy: Policy, likeness: Likeness
) -> BoolArray:
    """For every block, whether it is kept."""
    whole = wholes(page)
    kept = decide(probabilities, page.words, page.copies, policy).kept
    kept = with_announced(kept, probabilities, page)
    if not likeness.document:
        kept = posts_for_quotations(kept, probabilities, page)
    kept = completed(kept, probabilities, page, whole)
    if not kept.any():
        return kept
    levels = heading_levels(page, whole)
    own = own_heading(kept, page, levels)
    is_manual = likeness.documentation or (own is not None and is_numbered(page.texts[own]))
    if is_manual:
        if own is not None:
            kept[own] = True
        kept = with_announced(_filled(kept, probabilities, page, whole), probabilities, page)
    is_text = likeness.document or is_manual
    if is_text:
        kept = _with_footnotes(kept, page, whole)
    least = _LEAST_IN_MANUALS if is_manual else _LEAST_OF_TERMS
    kept = with_terms(kept, probabilities, page, least)
    kept = with_labels(kept, probabilities, page)
    kept = with_formulas(kept, page)
    if not is_text:
        return kept
    kept = without_contents(with_headings(kept, probabilities, page, levels), page)
    return kept if is_manual else without_ends(kept, page, levels)


def _filled(kept: BoolArray, probabilities: Floats, page: PageView, whole: IntArray) -> BoolArray:
    """The kept blocks, and the stretches among them that are not improbable."""
    weights = page.weights
    gaps = np.flatnonzero(~kept & page.shown & _within_reach(kept, page))
    _, stretch_of = np.unique(_stretches(kept, page, whole)[gaps], return_inverse=True)
    words = np.bincount(stretch_of, weights[gaps])

    def share(of: npt.NDArray[np.floating] | BoolArray) -> Floats:
        """The share of every stretch's words; ``of`` has one entry per block."""
        found: Floats = np.bincount(stretch_of, (weights * of)[gaps]) / words
        return found

    is_linked = share(page.link_density) > 0.5
    is_whole = share(whole >= 0) > 0.5
    least = np.where(share(_for_text(page, whole)) > 0, _LEAST_OF_TEXT, _LEAST_OF_BOXES)
    least[is_linked] = _LEAST_OF_BOXES
    least[is_whole] = np.where(is_linked[is_whole], _LEAST_OF_LINKED_WHOLES, _LEAST_OF_WHOLES)
    # A list of links leads to other pages, unless it is in a cell of a table.
    leads_away = is_linked & (share(_in_items(page)) > 0.5) & ~is_whole
    chosen = (share(probabilities) >= least) & ~leads_away
    filled = kept.copy()
    filled[gaps] = chosen[stretch_of]
    return filled


def _with_footnotes(kept: BoolArray, page: PageView, whole: IntArray) -> BoolArray:
    """The kept blocks, and the stretches that hold their footnotes."""
    notes = footnotes(kept, page)
    if not notes.any():
        return kept
    stretches = _stretches(kept, page, whole)
    in_notes = np.isin(stretches, stretches[notes])
    return kept | (in_notes & page.shown)


def _within_reach(kept: BoolArray, page: PageView) -> BoolArray:
    """The blocks between kept ones, and those after the last in the content's container.

    That is the deepest element with most of the kept words, and more than one kept block, among
    them the first, which is the document's heading.
    """
    first, last = np.flatnonzero(kept)[[0, -1]].tolist()
    dom, firsts = page.dom, page.segmentation.firsts
    words = _over_subtrees(page.weights * kept, page)
    blocks = _over_subtrees(kept.astype(np.float64), page)
    is_holder = (words >= _MOST * words[0]) & (blocks >= min(2, blocks[0]))
    holders = np.flatnonzero(is_holder[: firsts[first] + 1])
    container = holders[np.argmax(dom.depths[holders])]
    end = int(np.searchsorted(firsts, dom.ends[container]))
    reach = np.zeros(len(page), dtype=np.bool_)
    reach[first : max(end, last)] = True
    return reach


def _stretches(kept: BoolArray, page: PageView, whole: IntArray) -> IntArray:
    """For every block, the largest element without kept text around it."""
    has_kept = _over_subtrees(kept.astype(np.float64), page) > 0.5
    largest = page.dom.nearest(~has_kept & has_kept[page.dom.parents])
    tops = largest[page.segmentation.firsts]
    # Hidden cells may be kept without the rest of their table.
    return np.where(whole >= 0, np.minimum(tops, whole), tops)


def _over_subtrees(values: Floats, page: PageView) -> Floats:
    """For every node, the sum of the values of the blocks inside it."""
    own = np.zeros(len(page.dom), dtype=np.float64)
    own[page.segmentation.firsts] = values
    return page.dom.subtree_sums(own)


def _for_text(page: PageView, whole: IntArray) -> BoolArray:
    """Whether a block is in an element that is made for text, or in a cell of data."""
    is_made = page.dom.has_tag(_FOR_TEXT)
    in_role = np.isin(page.kinds, ("heading", "list-item", "code"))
    for_text: BoolArray = is_made[page.containers] | in_role | (whole >= 0)
    return for_text


def _in_items(page: PageView) -> BoolArray:
    """Whether a block is in an item of a list other than one of definitions."""
    return page.dom.nearest(page.dom.has_tag({"li"}))[page.segmentation.firsts] >= 0

"""What quotes a post of the same page, and what is left of it.

A post that others quote stands in a thread several times, and the trees may find a quotation
likelier than the post. The text is to stand where it was written. A quotation that is left with
nothing but the name of its author says nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from extraction.methods.boosted_blocks.characters import SENTENCE_ENDS

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray, IntArray
    from extraction.methods.boosted_blocks.arrays import Floats
    from extraction.methods.boosted_blocks.view import PageView

# Not XenForo's "selectToQuote", which is a whole post.
_NAMED: Final = re.compile(r"(?:^|[\s_-])(?:bbcode)?quote", re.I)
# NodeBB shows the beginning of the post that is answered above the answer.
_ANSWERED: Final = re.compile(r"post/parent")
# A post is preferred to a quotation of it that is this much likelier, at most.
_LEAST_SHARE: Final = 0.3
# "Quote from: Mary on 3 May 2019, 10:15:03 PM"
_ATTRIBUTION_WORDS: Final = 12


def posts_for_quotations(kept: BoolArray, probabilities: Floats, page: PageView) -> BoolArray:
    """The kept blocks, with posts in place of copies of them that are in quotations."""
    elements = _quotations(page.dom)
    if not len(elements):
        return kept
    kept = kept.copy()
    depths = page.dom.nesting(elements)[page.segmentation.firsts]
    copies: dict[int, list[int]] = {}
    for block in np.flatnonzero(page.shown).tolist():
        copies.setdefault(int(page.copies[block]), []).append(block)
    for block in np.flatnonzero(kept & (depths > 0)).tolist():
        least = _LEAST_SHARE * probabilities[block]
        likely = [
            copy for copy in copies.get(int(page.copies[block]), ()) if probabilities[copy] >= least
        ]
        kept[block] = False
        kept[min([block, *likely], key=lambda copy: (depths[copy], -probabilities[copy]))] = True
    return _without_attributions(kept, elements, page)


def _without_attributions(kept: BoolArray, elements: IntArray, page: PageView) -> BoolArray:
    """The kept blocks, but for those that only introduce what a quotation repeats of the page."""
    kept = kept.copy()
    is_repeated = np.isin(page.copies, page.copies[kept]) & ~kept
    firsts = page.segmentation.firsts
    starts = np.searchsorted(firsts, elements)
    ends = np.searchsorted(firsts, page.dom.ends[elements])
    repeated = np.append(np.flatnonzero(is_repeated), len(page))
    first_repeated = repeated[np.searchsorted(repeated, starts)]
    quotations = np.stack([starts, first_repeated, ends])[:, first_repeated < ends]
    # Those within others come after them.
    for start, first, end in quotations.T[::-1].tolist():
        before = (np.flatnonzero(kept[start:first]) + start).tolist()
        after = kept[first:end] & page.written[first:end]
        if not after.any() and _is_attribution(before, page):
            kept[start:end] = False
    return kept


def _is_attribution(blocks: list[int], page: PageView) -> bool:
    """Whether they are a few words and no sentence."""
    is_short = bool(page.words[blocks].sum() <= _ATTRIBUTION_WORDS)
    return is_short and not any(page.texts[block][-1] in SENTENCE_ENDS for block in blocks)


def _quotations(dom: Dom) -> IntArray:
    """The elements that quote, ascending."""
    named = dom.attribute("class").where(_NAMED.search)
    answered = dom.attribute("component").where(_ANSWERED.match)
    return np.unique(np.concatenate([dom.elements("blockquote"), named, answered]))

"""Formulas that stand alone between kept text.

They have no words, by which the trees could tell them from clutter, and the sentence before them
does not end without them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from corpus_commons.markup.formulas import formulas

if TYPE_CHECKING:
    from corpus_commons.markup.tree import BoolArray
    from extraction.methods.boosted_blocks.view import PageView

# TeX that waits for a script to draw it.
_TEX: Final = re.compile(r"(?:\\\[.*\\\]|\$\$.*\$\$|\\begin\{(\w+\*?)\}.*\\end\{\1\})[.,;]?", re.S)
_STARTS: Final = ("\\", "$$")


def with_formulas(kept: BoolArray, page: PageView) -> BoolArray:
    """The kept blocks, and the formulas for which the nearest other blocks on both sides are."""
    shown = np.flatnonzero(page.shown)
    is_formula = _are_formulas(page)[shown]
    if not is_formula.any():
        return kept
    found, others = shown[is_formula], shown[~is_formula]
    # What is beyond the first and the last is not kept.
    is_kept = np.concatenate([[False], kept[others], [False]])
    after = np.searchsorted(others, found) + 1
    kept = kept.copy()
    kept[found] |= is_kept[after - 1] & is_kept[after]
    return kept


def _are_formulas(page: PageView) -> BoolArray:
    """For every block, whether it is nothing but a formula."""
    found = np.zeros(len(page), dtype=np.bool_)
    in_formulas = formulas(page.dom)
    if in_formulas.any():
        block_of = page.segmentation.block_of
        others = block_of[(block_of >= 0) & page.dom.has_text & ~in_formulas]
        found[np.bincount(others, minlength=len(page)) == 0] = True
    for block, text in enumerate(page.texts):
        if text.startswith(_STARTS) and _TEX.fullmatch(text):
            found[block] = True
    return found

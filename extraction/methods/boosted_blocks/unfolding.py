"""The labels of kept text that unfolds: the questions of an accordion, and summaries of details.

Block by block they look like buttons: short, often said to be one, and between hidden text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from corpus_commons.markup.tree import BoolArray
    from extraction.methods.boosted_blocks.arrays import Floats
    from extraction.methods.boosted_blocks.view import PageView

# The least probability of a label, and of one that is a question.
_LEAST: Final = 0.25
_LEAST_OF_QUESTIONS: Final = 0.02
# Shorter labels are mostly of tools: "Read more", "Source".
_WORDS: Final = 3
# The Greek question mark is a semicolon.
_MARKS: Final = ("?", "？", "؟", ";")
# A tab stands beside others, and names only what one of them shows.
_NO_LABELS: Final = frozenset(("tab", "menuitem", "combobox"))
_STATES: Final = ("aria-expanded", "aria-controls")


def with_labels(kept: BoolArray, probabilities: Floats, page: PageView) -> BoolArray:
    """The kept blocks, and the labels right before kept text."""
    is_label = _labels(page)
    if not is_label.any():
        return kept
    kept = kept.copy()
    for block in np.flatnonzero(is_label[:-1])[::-1].tolist():
        is_question = page.texts[block].endswith(_MARKS)
        least = _LEAST_OF_QUESTIONS if is_question else _LEAST
        is_long = page.words[block] >= _WORDS
        kept[block] |= kept[block + 1] and is_long and probabilities[block] >= least
    return kept


def _labels(page: PageView) -> BoolArray:
    """For every block, whether it is shown in an element that folds what is below it."""
    dom = page.dom
    folding = dom.has_tag({"summary"})
    for name in _STATES:
        folding[dom.attribute(name).nodes] = True
    folding[dom.attribute("role").where(_NO_LABELS.__contains__)] = False
    is_label: BoolArray = (dom.nearest(folding)[page.segmentation.firsts] >= 0) & page.shown
    return is_label

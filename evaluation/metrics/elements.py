"""Element-based and text-based figures of element labels.

Source: Yunis, *Content Extraction from Webpages Using Machine Learning* (master's thesis,
Bauhaus-Universität Weimar, 2017), which judges labelled elements twice: each element counting once,
and each counting by the length of its text, so that a lost paragraph weighs more than a lost
caption. Images are judged in the same way, apart from text and without a length.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.metrics.blocks import Labels, blocks
from evaluation.metrics.score import Confusion

_NOTHING = Confusion()


@dataclass(frozen=True, slots=True)
class ElementCounts:
    """Both counts of some elements; they add up over pages.

    by_element: how many elements were judged rightly and wrongly.
    by_text: how many characters these elements hold.
    """

    by_element: Confusion = _NOTHING
    by_text: Confusion = _NOTHING

    def __add__(self, other: ElementCounts) -> ElementCounts:
        return ElementCounts(self.by_element + other.by_element, self.by_text + other.by_text)


def elements(
    predicted: Labels, gold: Labels, lengths: npt.NDArray[np.integer] | None = None
) -> ElementCounts:
    """Counts of one page's elements; take ``score`` of ``by_element`` or ``by_text``.

    predicted, gold: shape (elements,), True for main content.
    lengths: shape (elements,), characters of each element's text; None for images.
    Raises ValueError if the arrays do not describe the same elements.

    Of two elements wanted, one of 90 and one of 10 characters, the longer is found:

    >>> found = elements(np.array([True, False]), np.array([True, True]), np.array([90, 10]))
    >>> found.by_element.score.recall, found.by_text.score.recall
    (0.5, 0.9)
    """
    by_element = blocks(predicted, gold)
    if lengths is None:
        return ElementCounts(by_element)
    if lengths.shape != gold.shape:
        raise ValueError(f"{lengths.shape} lengths given for {gold.shape} elements")
    by_text = Confusion(
        tp=int(lengths[predicted & gold].sum()),
        fp=int(lengths[predicted & ~gold].sum()),
        fn=int(lengths[~predicted & gold].sum()),
        tn=int(lengths[~predicted & ~gold].sum()),
    )
    return ElementCounts(by_element, by_text)

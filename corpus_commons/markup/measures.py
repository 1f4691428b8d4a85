"""Counts over the text of a page, for all nodes at once.

Each count is made once per text node; its sums over all subtrees are one cumulative sum.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.characters import IDEOGRAPHS, in_brackets
from corpus_commons.markup.dom import Dom
from corpus_commons.markup.tree import BoolArray

Counts = npt.NDArray[np.int64]

# Ideographs and kana are written without spaces, so each counts as a word.
_UNSPACED = in_brackets(IDEOGRAPHS)
WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+(?:['’.\-][^\W{_UNSPACED}]+)*")
# The same for ASCII text, several times as fast.
_ASCII_WORD = re.compile(r"[0-9A-Za-z_]+(?:['.\-][0-9A-Za-z_]+)*")


def shares(
    part: npt.NDArray[Any], whole: npt.NDArray[Any] | int, *, of_nothing: float = 0.0
) -> npt.NDArray[np.float64]:
    """``part / whole``; ``of_nothing`` where ``whole`` is 0.

    >>> shares(np.array([1, 1]), np.array([2, 0]), of_nothing=-1.0).tolist()
    [0.5, -1.0]
    """
    found = np.full(len(part), of_nothing)
    np.divide(part, whole, out=found, where=np.asarray(whole) > 0)
    return found


def words_in(text: str) -> list[str]:
    """The words of a text in any script.

    >>> words_in("It's 中文!")
    ["It's", '中', '文']
    """
    return (_ASCII_WORD if text.isascii() else WORD).findall(text)


class Measures:
    """Counts of shown text, for every text node (``own_``) and over every subtree.

    All arrays have one entry per node of ``dom``; elements have 0 in the ``own_`` counts.
    """

    def __init__(self, dom: Dom, shown: BoolArray | None = None) -> None:
        self.dom = dom
        self.shown = dom.is_text & (dom.visible if shown is None else shown)

    @cached_property
    def own_characters(self) -> Counts:
        """Characters after white space is collapsed and stripped."""
        return self._own(lambda text: len(" ".join(text.split())))

    @cached_property
    def own_words(self) -> Counts:
        return self._own(lambda text: len(words_in(text)))

    @cached_property
    def own_linked_characters(self) -> Counts:
        """Characters in a link."""
        return np.where(self.in_link, self.own_characters, 0)

    @cached_property
    def characters(self) -> Counts:
        return self.dom.subtree_sums(self.own_characters)

    @cached_property
    def words(self) -> Counts:
        return self.dom.subtree_sums(self.own_words)

    @cached_property
    def linked_characters(self) -> Counts:
        return self.dom.subtree_sums(self.own_linked_characters)

    @cached_property
    def in_link(self) -> BoolArray:
        return self.dom.links >= 0

    def _own(self, count: Callable[[str], int]) -> Counts:
        counts = np.zeros(len(self.dom), dtype=np.int64)
        for node in np.flatnonzero(self.shown & self.dom.has_text).tolist():
            counts[node] = count(self.dom.texts[node])
        return counts

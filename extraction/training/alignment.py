"""Aligns gold text with a page, to label blocks for training.

Gold text has no positions, so its words are aligned with the page's words by the longest common
subsequence, as in CleanEval's scoring and Web2Text (section 4.1). Then units are added that the
gold text has in full, but in another order (often tables and specifications).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq

from corpus_commons.markup.measures import WORD

if TYPE_CHECKING:
    from collections.abc import Sequence

# The alignment's memory grows with the product of both lengths, so longer pages are aligned in
# parts.
_MAX_PRODUCT = 2_000_000_000
# Shorter units that are out of order may match by chance.
_MOVED_WORDS = 4


def words_of(text: str) -> list[str]:
    """The words that the alignment compares: in lower case, of any script."""
    return WORD.findall(text.lower())


def gold_shares(units: Sequence[str], gold_text: str) -> npt.NDArray[np.float64]:
    """The share of each unit's words that are in the gold text; NaN for units without words.

    units: texts of blocks or text nodes, in reading order.

    >>> gold_shares(["Home News", "A fine day it was.", "Contact us"], "A fine day it was").tolist()
    [0.0, 1.0, 0.0]
    """
    words_by_unit = [words_of(unit) for unit in units]
    unit_of_word = np.repeat(np.arange(len(units)), [len(words) for words in words_by_unit])
    page_words = [word for words in words_by_unit for word in words]
    gold_words = words_of(gold_text)
    matched = _matched_in_order(page_words, gold_words)

    lengths = np.bincount(unit_of_word, minlength=len(units)).astype(np.float64)
    hits = np.bincount(unit_of_word, weights=matched, minlength=len(units))
    shares = np.full(len(units), np.nan)
    np.divide(hits, lengths, out=shares, where=lengths > 0)
    _add_moved(shares, words_by_unit, gold_words)
    return shares


def _matched_in_order(page: list[str], gold: list[str]) -> npt.NDArray[np.float64]:
    """1.0 for every page word in the longest common subsequence with the gold."""
    codes: dict[str, int] = {}
    page_codes = [codes.setdefault(word, len(codes)) for word in page]
    gold_codes = [codes.setdefault(word, len(codes)) for word in gold]
    matched = np.zeros(len(page))
    stretch = max(1, _MAX_PRODUCT // max(1, len(gold)))
    for start in range(0, len(page), stretch):
        for block in LCSseq.opcodes(page_codes[start : start + stretch], gold_codes):
            if block.tag == "equal":
                matched[start + block.src_start : start + block.src_end] = 1.0
    return matched


def _add_moved(
    shares: npt.NDArray[np.float64], words_by_unit: list[list[str]], gold: list[str]
) -> None:
    """Mark units that are in the gold text as a whole, but in another place."""
    gold_line = f" {' '.join(gold)} "
    for unit, words in enumerate(words_by_unit):
        if len(words) >= _MOVED_WORDS and shares[unit] < 1 and f" {' '.join(words)} " in gold_line:
            shares[unit] = 1.0

"""Which parts of a page its gold text holds: labels for training block classifiers.

Gold text is prose without positions, so it is aligned with the page's own words: the longest
common subsequence of words, as CleanEval's scoring and Web2Text (section 4.1) align them, then
whole stretches that the gold has in another order (tables and specifications often are).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq

from markup.measures import WORD

if TYPE_CHECKING:
    from collections.abc import Sequence

# A longer page is aligned in stretches: the alignment's memory is the product of both lengths.
_MAX_PRODUCT = 2_000_000_000
# A unit out of order must have this many words to be more than a chance repetition.
_MOVED_WORDS = 4


def words_of(text: str) -> list[str]:
    """The words that alignment compares: lower case, any script."""
    return WORD.findall(text.lower())


def gold_shares(units: Sequence[str], gold_text: str) -> npt.NDArray[np.float64]:
    """For every unit of text, in reading order, the share of its words that the gold text holds.

    units: texts of blocks or text nodes. Units without words get NaN: they have no label of
    their own.

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
    """Mark units that stand in the gold as a whole, but in another place."""
    gold_line = f" {' '.join(gold)} "
    for unit, words in enumerate(words_by_unit):
        if len(words) >= _MOVED_WORDS and shares[unit] < 1 and f" {' '.join(words)} " in gold_line:
            shares[unit] = 1.0

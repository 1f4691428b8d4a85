"""Labels the blocks of a page from its gold text, for training.

Alignment by words can be wrong: a menu may repeat words of the content, and the gold text may be in
another order. So, starting from the aligned blocks, single blocks are added or removed while that
raises the word F1 against the gold text, which is the measure that extraction is judged by.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from extraction.training.alignment import gold_shares, words_of

_ROUNDS = 2


def block_labels(texts: list[str], gold_text: str) -> npt.NDArray[np.bool_]:
    """For every block, whether it is in the set that fits the gold text best.

    >>> block_labels(["Home News", "A fine day it was.", "It was fine"], "A fine day").tolist()
    [False, True, False]
    """
    gold = Counter(words_of(gold_text))
    if not gold:
        return np.zeros(len(texts), dtype=np.bool_)
    words = [Counter(words_of(text)) for text in texts]
    # The share of a block without words is NaN.
    labels = np.nan_to_num(gold_shares(texts, gold_text)) >= 0.5
    chosen = _Chosen(gold)
    for label, block in zip(labels, words, strict=True):
        if label:
            chosen.add(block, 1)
    for _ in range(_ROUNDS):
        before = labels.copy()
        for index, block in enumerate(words):
            sign = -1 if labels[index] else 1
            f1 = chosen.f1
            chosen.add(block, sign)
            if block and chosen.f1 > f1:
                labels[index] = not labels[index]
            else:
                chosen.add(block, -sign)
        if (labels == before).all():
            break
    return labels


def f1_of(text: str, gold_text: str) -> float:
    """The F1 of the two multisets of words of the alignment; 1 if both are empty.

    >>> f1_of("a fine day", "a fine evening")
    0.6666666666666666
    """
    return overlap_f1(words_of(text), words_of(gold_text))


def overlap_f1(words: list[str], gold: list[str]) -> float:
    """The F1 of two multisets of words; 1 if both are empty."""
    chosen = _Chosen(Counter(gold))
    chosen.add(Counter(words), 1)
    return chosen.f1


class _Chosen:
    """The words of the chosen blocks, and how many of them are in the gold text."""

    def __init__(self, gold: Counter[str]) -> None:
        self._gold = gold
        self._gold_size = gold.total()
        self._words: Counter[str] = Counter()
        self._size = self._shared = 0

    @property
    def f1(self) -> float:
        size = self._size + self._gold_size
        return 2 * self._shared / size if size else 1.0

    def add(self, block: Counter[str], sign: int) -> None:
        """Add the words of a block, or remove them if ``sign`` is -1."""
        for word, times in block.items():
            now = self._words[word]
            then = now + sign * times
            gold = self._gold[word]
            self._shared += min(then, gold) - min(now, gold)
            self._words[word] = then
        self._size += sign * block.total()

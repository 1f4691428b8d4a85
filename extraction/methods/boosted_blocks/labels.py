"""Which blocks of a page its gold text holds, for training.

Alignment by words leaves doubts: a menu that repeats the words of the content, a gold text in
another order. From the aligned blocks the set is improved, one block at a time, while the F1 of
its words against the gold text grows; that is the score the set will be judged by.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from extraction.alignment import gold_shares, words_of

_ROUNDS = 2


def block_labels(texts: list[str], gold_text: str) -> npt.NDArray[np.bool_]:
    """For every block, whether it belongs to the set that fits the gold text best.

    >>> block_labels(["Home News", "A fine day it was.", "It was fine"], "A fine day").tolist()
    [False, True, False]
    """
    gold = Counter(words_of(gold_text))
    if not gold:
        return np.zeros(len(texts), dtype=np.bool_)
    words = [Counter(words_of(text)) for text in texts]
    # A block without words has no share.
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
    """F1 of the words of a text, as multisets; 1 where both have none.

    >>> f1_of("a fine day", "a fine evening")
    0.6666666666666666
    """
    chosen = _Chosen(Counter(words_of(gold_text)))
    chosen.add(Counter(words_of(text)), 1)
    return chosen.f1


class _Chosen:
    """The words of the chosen blocks, and how many of them the gold text has."""

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
        """Add the words of a block, or take them away if ``sign`` is -1."""
        for word, times in block.items():
            now = self._words[word]
            then = now + sign * times
            gold = self._gold[word]
            self._shared += min(then, gold) - min(now, gold)
            self._words[word] = then
        self._size += sign * block.total()

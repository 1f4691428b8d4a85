"""Cosine of two bags of words.

Source: Nguyen-Hoang et al., *Genre-Oriented Web Content Extraction with Deep Convolutional Neural
Networks and Statistical Methods*, equation 5. Words are those of ``evaluation.metrics.words``.
"""

from __future__ import annotations

from collections import Counter
from math import sqrt

from evaluation.metrics.score import Score
from evaluation.metrics.words import token_pair


def cosine(predicted: str, gold: str) -> float:
    """The cosine of the word count vectors, in [0, 1]; 1 for two empty texts.

    The vectors over (a, b, c) are (2, 1, 0) and (1, 1, 1): 3 / (sqrt(5) * sqrt(3)).

    >>> round(cosine("a a b", "a b c"), 4)
    0.7746
    """
    predicted_tokens, gold_tokens = token_pair(predicted, gold)
    if not predicted_tokens and not gold_tokens:
        return 1.0
    first, second = Counter(predicted_tokens), Counter(gold_tokens)
    product = sum(count * second[word] for word, count in first.items())
    squares = _squared_length(first) * _squared_length(second)
    # Rounding may make the quotient greater than 1.
    return min(1.0, product / sqrt(squares)) if squares else 0.0


def cosine_score(predicted: str, gold: str) -> Score:
    """The cosine as precision, recall and F1, for tables of several metrics."""
    value = cosine(predicted, gold)
    return Score(value, value, value)


def _squared_length(counts: Counter[str]) -> int:
    return sum(count * count for count in counts.values())

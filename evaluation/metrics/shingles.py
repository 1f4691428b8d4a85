r"""Shingle precision, recall and F1 of the article-extraction-benchmark, of one page.

Source: ``evaluate.py`` of https://github.com/scrapinghub/article-extraction-benchmark: tokens are
``\w+`` runs, case kept; shingles are the multiset of all runs of four tokens (a shorter text is one
shingle).
"""

from __future__ import annotations

import re
from collections import Counter

from evaluation.metrics.score import Score

_TOKEN = re.compile(r"\w+")
_LENGTH = 4


def shingles(predicted: str, gold: str) -> Score:
    """Of the shingles abcd and bcde, the first is common; bcdx is wrong, bcde missed.

    >>> shingles("a b c d x", "a b c d e").f1
    0.5
    >>> shingles("a b", "a b").f1
    1.0
    """
    first, second = _shingles(predicted), _shingles(gold)
    return Score.of_overlap((first & second).total(), first.total(), second.total())


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    tokens = _TOKEN.findall(text)
    if len(tokens) < _LENGTH:
        return Counter([tuple(tokens)] if tokens else [])
    return Counter(zip(*(tokens[start:] for start in range(_LENGTH)), strict=False))

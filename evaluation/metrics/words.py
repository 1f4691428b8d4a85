"""Metrics on bags of words: WCXB's word F1 and snippets, cosine, and shingles.

Words are those of ``corpus_commons.compared_words``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import sqrt

from corpus_commons.compared_words import RUN, token_pair
from evaluation.metrics.score import Score

_SHINGLE = 4


def words(predicted: str, gold: str) -> Score:
    """The overlap of two multisets of words, as in WCXB.

    The score is 1 if both texts are empty, and 0 if one of them is, as in the published script.

    Of four words predicted and five wanted, "the" (once), "cat" and "sat" are common:

    >>> words("The cat sat, the", "A cat sat on the")
    Score(precision=0.75, recall=0.6, f1=0.6666666666666665)
    >>> words("天气好", "天气很好").recall
    0.75
    """
    predicted_tokens, gold_tokens = token_pair(predicted, gold)
    common = (Counter(predicted_tokens) & Counter(gold_tokens)).total()
    return Score.of_overlap(common, len(predicted_tokens), len(gold_tokens))


def cosine(predicted: str, gold: str) -> Score:
    """The cosine of the word count vectors as precision, recall and F1; 1 for two empty texts.

    Source: Nguyen-Hoang et al., *Genre-Oriented Web Content Extraction with Deep Convolutional
    Neural Networks and Statistical Methods*, equation 5.

    The vectors over (a, b, c) are (2, 1, 0) and (1, 1, 1): 3 / (sqrt(5) * sqrt(3)).

    >>> round(cosine("a a b", "a b c").f1, 4)
    0.7746
    """
    first, second = map(Counter, token_pair(predicted, gold))
    product = sum(count * second[word] for word, count in first.items())
    squares = _squared_length(first) * _squared_length(second)
    # Rounding may make the quotient greater than 1.
    value = min(1.0, product / sqrt(squares)) if squares else float(first == second)
    return Score(value, value, value)


def shingles(predicted: str, gold: str) -> Score:
    r"""The overlap of two multisets of shingles, which are all runs of four words.

    Source: ``evaluate.py`` of https://github.com/scrapinghub/article-extraction-benchmark: words
    are ``\w+`` runs, case kept; a shorter text is one shingle.

    Of the shingles abcd and bcde, the first is common; bcdx is wrong, bcde missed.

    >>> shingles("a b c d x", "a b c d e").f1
    0.5
    >>> shingles("a b", "a b").f1
    1.0
    """
    first, second = _shingles(predicted), _shingles(gold)
    return Score.of_overlap((first & second).total(), first.total(), second.total())


def snippets_found(text: str, snippets: Iterable[str]) -> int:
    """How many of ``snippets`` occur in ``text``, ignoring case, as in WCXB's script.

    >>> snippets_found("Now with Subscribe button", ["subscribe", "share this"])
    1
    """
    lowered = text.lower()
    return sum(snippet.lower() in lowered for snippet in snippets)


def _squared_length(counts: Counter[str]) -> int:
    return sum(count * count for count in counts.values())


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    runs = RUN.findall(text)
    if len(runs) < _SHINGLE:
        return Counter([tuple(runs)] if runs else [])
    return Counter(zip(*(runs[start:] for start in range(_SHINGLE)), strict=False))

"""Precision, recall and F1 on the longest common subsequence of words.

Source: Nguyen-Hoang et al., *Genre-Oriented Web Content Extraction with Deep Convolutional Neural
Networks and Statistical Methods*, equations 3 and 4: precision = LCS / words predicted,
recall = LCS / words of the gold text. Words are those of ``corpus_commons.compared_words``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rapidfuzz.distance import LCSseq

from corpus_commons.compared_words import token_pair
from evaluation.metrics.score import Score

# The most pairs of words, one from each text, that are compared, which takes some seconds.
MAX_WORD_PAIRS = 2**32


def lcs(predicted: str, gold: str) -> Score:
    """The score of the longest common subsequence; unlike ``words`` it penalises wrong order.

    In order, "a b ... d e" is common: four of five words predicted, four of five wanted.

    >>> lcs("a b x d e", "a b c d e").precision
    0.8
    >>> lcs("two one", "one two").recall
    0.5
    """
    predicted_tokens, gold_tokens = token_pair(predicted, gold)
    common = common_length(predicted_tokens, gold_tokens)
    return Score.of_overlap(common, len(predicted_tokens), len(gold_tokens))


def common_length(first: Sequence[str], second: Sequence[str]) -> int:
    """The length of the longest common subsequence, in memory linear in the sequences.

    The time is proportional to their product divided by 64. Beyond MAX_WORD_PAIRS, the common words
    are counted regardless of order, which is an upper bound; no page's main content is so long.

    >>> common_length("the cat sat".split(), "the dog sat".split())
    2
    """
    shared = set(first) & set(second)
    shorter, longer = sorted(
        ([word for word in sequence if word in shared] for sequence in (first, second)), key=len
    )
    if len(shorter) * len(longer) > MAX_WORD_PAIRS:
        return (Counter(shorter) & Counter(longer)).total()
    return int(LCSseq.similarity(shorter, longer))

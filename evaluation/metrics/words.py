r"""Metrics on bags of words, and the words themselves: WCXB's word F1 and snippet rates, cosine,
and shingles.

Words are those of the Web Content Extraction Benchmark's ``evaluate.py``
(https://github.com/Murrough-Foley/web-content-extraction-benchmark; arXiv 2605.21097): both texts
are lower-cased and split into ``\w+`` runs.

The benchmark is English. In scripts without spaces, a sentence would be a single word, which is
lost if one character is missing. So each ideograph or kana counts as a word
(``markup.measures.WORD``) if the gold text is in such a script. For text with spaces, scores are
those of the published script. Other scripts without spaces (Thai, Khmer) are not split.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from math import sqrt

from corpus_commons.markup.measures import WORD
from evaluation.metrics.score import Score

_RUN = re.compile(r"\w+")
# A text with more words (by WORD) than this per run of letters is in a script without spaces.
# Western text has less than 1; Chinese and Japanese have about 8.
_WORDS_PER_RUN = 2
_EAST_ASIAN = re.compile("[\u2e80-\U0010ffff]")
_SHINGLE = 4


def is_unspaced(text: str) -> bool:
    """Whether ``text`` consists mostly of ideographs or kana.

    >>> is_unspaced("天气很好,我们去公园。"), is_unspaced("A city called 北京, in China.")
    (True, False)
    """
    if not _EAST_ASIAN.search(text):
        return False
    runs = sum(1 for _ in _RUN.finditer(text))
    return sum(1 for _ in WORD.finditer(text)) > _WORDS_PER_RUN * runs


def tokens(text: str, *, unspaced: bool = False) -> list[str]:
    r"""The lower-case words of ``text``: ``\w+``, or single ideographs if ``unspaced``.

    >>> tokens("It's 5 o'clock"), tokens("web 天气", unspaced=True)
    (['it', 's', '5', 'o', 'clock'], ['web', '天', '气'])
    """
    return (WORD if unspaced else _RUN).findall(text.lower())


def token_pair(predicted: str, gold: str) -> tuple[list[str], list[str]]:
    """The words of both texts, split depending on the script of the gold text."""
    unspaced = is_unspaced(gold)
    return tokens(predicted, unspaced=unspaced), tokens(gold, unspaced=unspaced)


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


def snippet_rate(text: str, snippets: Collection[str]) -> float:
    """The share of ``snippets`` that occur in ``text``, ignoring case.

    For ``must_have`` snippets higher is better, for ``must_not_have`` ones lower. As in the
    published script, the rate is 1 without snippets, so averages must leave out pages without them.

    >>> snippet_rate("Now with Subscribe button", ["subscribe", "share this"])
    0.5
    """
    return snippets_found(text, snippets) / len(snippets) if snippets else 1.0


def snippets_found(text: str, snippets: Collection[str]) -> int:
    """How many of ``snippets`` occur in ``text``, ignoring case."""
    lowered = text.lower()
    return sum(snippet.lower() in lowered for snippet in snippets)


def _squared_length(counts: Counter[str]) -> int:
    return sum(count * count for count in counts.values())


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    runs = _RUN.findall(text)
    if len(runs) < _SHINGLE:
        return Counter([tuple(runs)] if runs else [])
    return Counter(zip(*(runs[start:] for start in range(_SHINGLE)), strict=False))

r"""Shingle precision, recall and F1 of the article-extraction-benchmark.

Source: ``evaluate.py`` of https://github.com/scrapinghub/article-extraction-benchmark: tokens are
``\w+`` runs, case kept; shingles are the multiset of all runs of four tokens (a shorter text is one
shingle); a page's true and false positives and false negatives are divided by their sum, so that
long pages weigh no more than short ones.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from statistics import fmean

from evaluation.metrics.score import Confusion, Score

_TOKEN = re.compile(r"\w+")
_LENGTH = 4


def shingle_counts(predicted: str, gold: str) -> Confusion:
    """A page's shares of true positive, false positive and false negative shingles.

    Of the shingles abcd and bcde, the first is common; bcdx is wrong, bcde missed.

    >>> shingle_counts("a b c d x", "a b c d e") == Confusion(tp=1/3, fp=1/3, fn=1/3)
    True
    """
    first, second = _shingles(predicted), _shingles(gold)
    common = (first & second).total()
    wrong, missed = first.total() - common, second.total() - common
    total = common + wrong + missed
    return Confusion(common / total, wrong / total, missed / total) if total else Confusion()


def shingles(predicted: str, gold: str) -> Score:
    """The score of one page.

    >>> shingles("a b c d x", "a b c d e").f1
    0.5
    >>> shingles("a b", "a b").f1
    1.0
    """
    return shingle_counts(predicted, gold).score


def shingles_of_pages(pages: Iterable[Confusion]) -> Score:
    """The benchmark's figures for a data set.

    Precision is the mean over pages with a prediction, recall the mean over pages with gold text;
    F1 is taken of these two means, not averaged. Without such pages a mean is 0.

    >>> shingles_of_pages([Confusion(tp=0.5, fp=0.5), Confusion(fn=1.0)])
    Score(precision=0.5, recall=0.5, f1=0.5)
    """
    counted = list(pages)
    precisions = [page.tp / (page.tp + page.fp) for page in counted if page.tp + page.fp]
    recalls = [page.tp / (page.tp + page.fn) for page in counted if page.tp + page.fn]
    return Score.of(fmean(precisions) if precisions else 0.0, fmean(recalls) if recalls else 0.0)


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    tokens = _TOKEN.findall(text)
    if len(tokens) < _LENGTH:
        return Counter([tuple(tokens)] if tokens else [])
    return Counter(zip(*(tokens[start:] for start in range(_LENGTH)), strict=False))

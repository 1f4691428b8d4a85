"""Metrics that compare extracted text with gold text, with their sources.

``TEXT_METRICS`` has those that need only the two texts, as ``Callable[[predicted, gold], Score]``:

- ``words``: WCXB's word F1, the default of the tables;
- ``lcs``: on the longest common subsequence of words (GOCE paper);
- ``cosine``: of the bags of words (GOCE paper), the same number for precision, recall and F1;
- ``shingles``: runs of four words (article-extraction-benchmark);
- ``cleaneval``: CleanEval's text-only score.

Other metrics are ``words.snippets_found``, ``cleaneval.cleaneval_tagged`` for text with markup, and
``score.Confusion`` for labels instead of text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from evaluation.metrics import cleaneval, lcs, words
from evaluation.metrics.score import Confusion, Score

__all__ = ["TEXT_METRICS", "Confusion", "Score"]

TEXT_METRICS: Final[dict[str, Callable[[str, str], Score]]] = {
    "words": words.words,
    "lcs": lcs.lcs,
    "cosine": words.cosine,
    "shingles": words.shingles,
    "cleaneval": cleaneval.cleaneval,
}

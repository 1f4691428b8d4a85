"""How near an extracted text comes to the gold text; one module a metric, each with its source.

``TEXT_METRICS`` has those that need the two texts alone, as ``Callable[[predicted, gold], Score]``:

- ``words``: WCXB's word F1, the one that tables show unless asked otherwise;
- ``lcs``: on the longest common subsequence of words (GOCE paper);
- ``cosine``: of the bags of words (GOCE paper), the same number thrice;
- ``shingles``: runs of four words (article-extraction-benchmark);
- ``cleaneval``: CleanEval's text-only score.

The modules have more: ``words.snippet_rate``, ``cleaneval.cleaneval_tagged`` for text with markup,
and, for labels instead of text, ``blocks.blocks``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from evaluation.metrics import cleaneval, cosine, lcs, shingles, words
from evaluation.metrics.score import Confusion, Score

__all__ = ["TEXT_METRICS", "Confusion", "Score"]

TEXT_METRICS: Final[dict[str, Callable[[str, str], Score]]] = {
    "words": words.words,
    "lcs": lcs.lcs,
    "cosine": cosine.cosine_score,
    "shingles": shingles.shingles,
    "cleaneval": cleaneval.cleaneval,
}

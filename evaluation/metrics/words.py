r"""Word F1 and snippet rates as WCXB computes them, and the words themselves.

Source: ``evaluate.py`` of the Web Content Extraction Benchmark
(https://github.com/Murrough-Foley/web-content-extraction-benchmark; arXiv 2605.21097): both texts
are lower-cased and split into ``\w+`` runs, and the overlap of the two multisets is counted.

The benchmark is English. Scripts that write no spaces would make a sentence one word, so that one
lost character loses it all; for them each ideograph or kana counts as a word of its own
(``markup.measures.WORD``). That is switched on by the gold text, and never for text written
with spaces, whose scores are those of the published script. Scripts without spaces that are
neither ideographs nor kana (Thai, Khmer) stay unsplit.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from evaluation.metrics.score import Score
from markup.measures import WORD

_RUN = re.compile(r"\w+")
# Words of WORD per run of letters, above which a text counts as written without spaces. Western
# text stays below 1; Chinese and Japanese have about 8.
_WORDS_PER_RUN = 2
_EAST_ASIAN = re.compile("[\u2e80-\U0010ffff]")


def is_unspaced(text: str) -> bool:
    """Whether ``text`` is written mostly in ideographs or kana.

    >>> is_unspaced("天气很好,我们去公园。"), is_unspaced("A city called 北京, in China.")
    (True, False)
    """
    if not _EAST_ASIAN.search(text):
        return False
    runs = sum(1 for _ in _RUN.finditer(text))
    return sum(1 for _ in WORD.finditer(text)) > _WORDS_PER_RUN * runs


def tokens(text: str, *, unspaced: bool = False) -> list[str]:
    r"""The lower-case words of ``text``: ``\w+``, or each ideograph by itself.

    >>> tokens("It's 5 o'clock"), tokens("web 天气", unspaced=True)
    (['it', 's', '5', 'o', 'clock'], ['web', '天', '气'])
    """
    return (WORD if unspaced else _RUN).findall(text.lower())


def token_pair(predicted: str, gold: str) -> tuple[list[str], list[str]]:
    """The words of both texts; the gold text decides how they are split."""
    unspaced = is_unspaced(gold)
    return tokens(predicted, unspaced=unspaced), tokens(gold, unspaced=unspaced)


def words(predicted: str, gold: str) -> Score:
    """The overlap of two multisets of words.

    Both texts empty is a perfect score, one of them empty is 0, as in the published script.

    Of four words predicted and five wanted, "the" (once), "cat" and "sat" are common:

    >>> words("The cat sat, the", "A cat sat on the")
    Score(precision=0.75, recall=0.6, f1=0.6666666666666665)
    >>> words("天气好", "天气很好").recall
    0.75
    """
    predicted_tokens, gold_tokens = token_pair(predicted, gold)
    common = (Counter(predicted_tokens) & Counter(gold_tokens)).total()
    return Score.of_overlap(common, len(predicted_tokens), len(gold_tokens))


def snippet_rate(text: str, snippets: Collection[str]) -> float:
    """The share of ``snippets`` that occur in ``text``, whatever their case.

    For ``must_have`` snippets higher is better, for ``must_not_have`` ones lower. As in the
    published script the rate is 1 without snippets; averages over pages that have none of the
    unwanted snippets are right only if those pages are left out.

    >>> snippet_rate("Now with Subscribe button", ["subscribe", "share this"])
    0.5
    """
    if not snippets:
        return 1.0
    lowered = text.lower()
    return sum(snippet.lower() in lowered for snippet in snippets) / len(snippets)

r"""The words by which an extracted text is compared with the gold text.

They are those of the Web Content Extraction Benchmark's ``evaluate.py``
(https://github.com/Murrough-Foley/web-content-extraction-benchmark; arXiv 2605.21097): both texts
are lower-cased and split into ``\w+`` runs.

The benchmark is English. In scripts without spaces, a sentence would be a single word, which is
lost if one character is missing. So each ideograph or kana counts as a word
(``markup.measures.WORD``) if the gold text is in such a script. For text with spaces, scores are
those of the published script. Other scripts without spaces (Thai, Khmer) are not split.
"""

from __future__ import annotations

import re

from corpus_commons.markup.measures import WORD

RUN = re.compile(r"\w+")
# A text with more words (by WORD) than this per run of letters is in a script without spaces.
# Western text has less than 1; Chinese and Japanese have about 8.
_WORDS_PER_RUN = 2
EAST_ASIAN = re.compile("[\u2e80-\U0010ffff]")


def is_unspaced(text: str) -> bool:
    """Whether ``text`` consists mostly of ideographs or kana.

    >>> is_unspaced("天气很好,我们去公园。"), is_unspaced("A city called 北京, in China.")
    (True, False)
    """
    if not EAST_ASIAN.search(text):
        return False
    runs = sum(1 for _ in RUN.finditer(text))
    return sum(1 for _ in WORD.finditer(text)) > _WORDS_PER_RUN * runs


def tokens(text: str, *, unspaced: bool = False) -> list[str]:
    r"""The lower-case words of ``text``: ``\w+``, or single ideographs if ``unspaced``.

    >>> tokens("It's 5 o'clock"), tokens("web 天气", unspaced=True)
    (['it', 's', '5', 'o', 'clock'], ['web', '天', '气'])
    """
    return (WORD if unspaced else RUN).findall(text.lower())


def token_pair(predicted: str, gold: str) -> tuple[list[str], list[str]]:
    """The words of both texts, split depending on the script of the gold text."""
    unspaced = is_unspaced(gold)
    return tokens(predicted, unspaced=unspaced), tokens(gold, unspaced=unspaced)

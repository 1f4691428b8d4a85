"""Identifies the language of a text with py3langid's bundled naive Bayes model of byte n-grams.

M. Lui, T. Baldwin: langid.py: An Off-the-shelf Language Identification Tool. ACL 2012.
https://github.com/adbar/py3langid
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from py3langid.langid import MODEL_FILE, LanguageIdentifier

# Characters to read; more do not change the result and cost a millisecond per 1,000.
SAMPLE = 1500
# How many of the best languages to consider.
_LIKELY = 5
# With fewer letters the result is unreliable.
LEAST_LETTERS = 20
# Below it more answers are wrong than right: of 125 pieces of pages in five languages, 60 %.
LEAST_PROBABILITY = 0.1
# The model takes Chinese among code, names and numbers for Wu, in which few pages are written.
READ_AS: Final = {"wuu": "zh"}
# White space between Chinese characters, used for letter-spacing.
_CHINESE: Final = r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uff60]"
_WIDENED: Final = re.compile(rf"(?<={_CHINESE})\s+(?={_CHINESE})")


def identify_language(text: str) -> tuple[str, float] | None:
    """ISO 639-1 code and probability in [0, 1]; None for a text with too few letters, or like none.

    >>> identify_language("The quick brown fox jumps over the lazy dog, and nobody minds.")[0]
    'en'
    """
    sample = _sample(text)
    if sum(map(str.isalpha, sample)) < LEAST_LETTERS:
        return None
    likely: dict[str, float] = {}
    for label, probability in _identifier().rank(sample)[:_LIKELY]:
        code = READ_AS.get(str(label), str(label))
        likely[code] = likely.get(code, 0.0) + float(probability)
    best = max(likely, key=likely.__getitem__)
    if likely[best] < LEAST_PROBABILITY:
        return None
    return best, round(min(likely[best], 1.0), 4)


def _sample(text: str) -> str:
    """The text, or a part of its middle, because names and navigation are at the ends."""
    begin = max(0, (len(text) - SAMPLE) // 2)
    return _WIDENED.sub("", text[begin : begin + SAMPLE].replace("\ufffd", ""))


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)

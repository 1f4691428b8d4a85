"""The language of a text, by py3langid's naive Bayes over byte n-grams; its model is bundled.

M. Lui, T. Baldwin: langid.py: An Off-the-shelf Language Identification Tool. ACL 2012.
https://github.com/adbar/py3langid
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from py3langid.langid import MODEL_FILE, LanguageIdentifier

# Characters that are read; more change nothing and cost a millisecond each 1,000.
SAMPLE = 1500
# Of the model's languages, as many as share a probability worth naming.
_LIKELY = 5
# Below this a guess says little.
LEAST_LETTERS = 20
# Chinese amid code, names and numbers looks like Wu to the model, whose own pages are few.
READ_AS: Final = {"wuu": "zh"}
# White space that sets characters apart for the eye.
_CHINESE: Final = r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uff60]"
_WIDENED: Final = re.compile(rf"(?<={_CHINESE})\s+(?={_CHINESE})")


def identify_language(text: str) -> tuple[str, float] | None:
    """ISO 639-1 code and probability in [0, 1]; None for a text with almost no letters.

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
    return best, round(min(likely[best], 1.0), 4)


def _sample(text: str) -> str:
    """The text, or a stretch from its middle: beginnings and ends hold names and navigation."""
    begin = max(0, (len(text) - SAMPLE) // 2)
    return _WIDENED.sub("", text[begin : begin + SAMPLE].replace("\ufffd", ""))


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)

"""The language of a text, by py3langid's naive Bayes over byte n-grams; its model is bundled.

M. Lui, T. Baldwin: langid.py: An Off-the-shelf Language Identification Tool. ACL 2012.
https://github.com/adbar/py3langid
"""

from __future__ import annotations

from functools import lru_cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

# Characters that are read; more change nothing and cost a millisecond each 1,000.
SAMPLE = 1500
# Below this a guess says little.
LEAST_LETTERS = 20


def identify_language(text: str) -> tuple[str, float] | None:
    """ISO 639-1 code and probability in [0, 1]; None for a text with almost no letters.

    >>> identify_language("The quick brown fox jumps over the lazy dog, and nobody minds.")[0]
    'en'
    """
    sample = _sample(text)
    if sum(map(str.isalpha, sample)) < LEAST_LETTERS:
        return None
    code, probability = _identifier().classify(sample)
    return str(code), round(float(probability), 4)


def _sample(text: str) -> str:
    """The text, or a stretch from its middle: beginnings and ends hold names and navigation."""
    begin = max(0, (len(text) - SAMPLE) // 2)
    return text[begin : begin + SAMPLE].replace("\ufffd", "")


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)

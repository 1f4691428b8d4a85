"""Words in any script, for n-grams: faster than a tokenizer of a language, and without a choice."""

from __future__ import annotations

import re
from typing import Final

from datatrove.utils.word_tokenizers import WordTokenizer

from corpus_commons.markup.characters import IDEOGRAPHS, SYLLABIC, in_brackets

_UNSPACED: Final = in_brackets(IDEOGRAPHS)
_FOURS: Final = in_brackets(SYLLABIC)
SYLLABIC_WORD: Final = 4
"""Characters that stand for a word of a syllabic script without spaces, such as Thai."""
IS_SYLLABIC: Final = re.compile(f"[{_FOURS}]")
_WORD: Final = re.compile(
    rf"[{_UNSPACED}\U00020000-\U0003ffff]|[{_FOURS}]{{1,{SYLLABIC_WORD}}}"
    rf"|[^\W{_UNSPACED}{_FOURS}]+"
)


class Words(WordTokenizer):
    """Words between marks and white space; in scripts without spaces, as ``count_words`` counts.

    >>> Words().word_tokenize("It's 中文, no?")
    ['It', 's', '中', '文', 'no']
    """

    def word_tokenize(self, text: str) -> list[str]:
        return _WORD.findall(text)

    def sent_tokenize(self, text: str) -> list[str]:
        return [text]

    def span_tokenize(self, text: str) -> list[tuple[int, int]]:
        return [(0, len(text))]

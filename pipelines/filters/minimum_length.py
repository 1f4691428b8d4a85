"""Text that is too short to be worth keeping."""

from __future__ import annotations

from crawler.items import Document
from crawler.verdicts import Rejection
from markup.words import count_words
from pipelines.filters.base import Filter

_LONG_WORD = 20


class MinimumLength(Filter):
    """At least so many words, as ``count_words`` has them; a text without any is never kept."""

    def __init__(self, words: int) -> None:
        self._words = max(1, words)

    def judge(self, document: Document) -> Rejection | None:
        # Most texts show at their beginning that they are long enough.
        for text in (document.text[: self._words * _LONG_WORD], document.text):
            words = count_words(text)
            if words >= self._words:
                return None
        return Rejection("too-short", f"{words} words, at least {self._words} are asked for")

"""Filters documents that are too short."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from corpus_commons.markup.words import count_words
from crawler.items import Document
from crawler.outcomes import Rejection
from pipelines.filters.base import Filter
from settings.tables.filters import Filters

_LONG_WORD = 20


class MinimumLength(Filter):
    """Keeps texts with at least so many words (``count_words``); empty ones are never kept."""

    def __init__(self, words: int) -> None:
        self._words = max(1, words)

    @classmethod
    def of_job(cls, filters: Filters, _: Path) -> Self:
        return cls(filters.min_words)

    def judge(self, document: Document) -> Rejection | None:
        # The beginning suffices for most texts.
        for text in (document.text[: self._words * _LONG_WORD], document.text):
            words = count_words(text)
            if words >= self._words:
                return None
        return Rejection("too-short", f"{words} words, the minimum is {self._words}")

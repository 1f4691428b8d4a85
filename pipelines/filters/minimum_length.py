"""Text that is too short to be worth keeping."""

from __future__ import annotations

from crawler.items import Document, Rejection
from pipelines.filters.base import Filter
from pipelines.words import count_words

_LONG_WORD = 20


class MinimumLength(Filter):
    """At least so many characters (code points, ends stripped) and so many words.

    An ideograph or a kana counts as a word. Without options a text must only not be empty.
    """

    def __init__(self, *, characters: int = 1, words: int = 0) -> None:
        if characters < 0 or words < 0:
            raise ValueError(f"lengths are 0 or more, not {min(characters, words)}")
        self._characters = characters
        self._words = words

    def judge(self, document: Document) -> Rejection | None:
        characters = len(document.text.strip())
        if characters < self._characters:
            return _too_short(characters, self._characters, "characters")
        # Most texts show at their beginning that they are long enough.
        for text in (document.text[: self._words * _LONG_WORD], document.text):
            words = count_words(text)
            if words >= self._words:
                return None
        return _too_short(words, self._words, "words")


def _too_short(found: int, asked: int, unit: str) -> Rejection:
    return Rejection("too-short", f"{found} {unit}, at least {asked} are asked for")

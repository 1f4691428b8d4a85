"""Pages of genres that are not wanted."""

from __future__ import annotations

from collections.abc import Sequence

from crawler.items import Document, Rejection
from pipelines.filters.base import Filter


class Genre(Filter):
    """Only pages of these genres. unsure: whether to keep pages whose genre is not known."""

    def __init__(self, *, allowed: Sequence[str], unsure: bool = True) -> None:
        if isinstance(allowed, str) or not allowed:
            raise ValueError(f"allowed needs a list of genres such as ['article'], not {allowed!r}")
        self._allowed = frozenset(allowed)
        self._unsure = unsure

    def judge(self, document: Document) -> Rejection | None:
        if document.genre is None:
            return None if self._unsure else Rejection("genre", "unsure")
        return None if document.genre in self._allowed else Rejection("genre", document.genre)

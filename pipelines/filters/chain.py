"""A chain of filters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from crawler.items import Document
from crawler.outcomes import Rejection
from pipelines.filters.base import Filter


class FilterChain(Filter):
    """Keeps a document if all filters do; the first rejection counts. A context manager."""

    def __init__(self, filters: Sequence[Filter]) -> None:
        self._filters = filters

    def judge(self, document: Document) -> Rejection | None:
        for one in self._filters:
            rejection = one.judge(document)
            if rejection is not None:
                return rejection
        return None

    def remember(self, documents: Iterable[Document]) -> None:
        documents = list(documents)
        for one in self._filters:
            one.remember(documents)

    def forget(self, document: Document) -> None:
        for one in self._filters:
            one.forget(document)

    def close(self) -> None:
        for one in self._filters:
            one.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

"""The interface of filters, and the chain of a job's filters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Self

from crawler.items import Document
from crawler.outcomes import Rejection


class Filter(ABC):
    """Decides for each document whether it is kept; ``pipelines.filters`` lists all filters.

    It is called by one thread at a time, outside the event loop, so that it may wait for a disk.
    """

    @abstractmethod
    def judge(self, document: Document) -> Rejection | None:
        """None to keep the document. After a crash, the same document may come again."""

    def remember(self, documents: Sequence[Document]) -> None:  # noqa: B027 - most have no state
        """Called when kept documents are safe on disk, so that their state may be persisted."""

    def release(self, texts: Sequence[tuple[str, bytes]]) -> None:  # noqa: B027 - most have no state
        """Called when pages no longer have these texts: their ids, and digests of their words."""

    def forget(self, document: Document) -> None:  # noqa: B027 - most have no state
        """Called if a document passed ``judge`` but could not be written."""

    def close(self) -> None:  # noqa: B027 - most have nothing to close
        """Close files."""


class FilterChain(Filter):
    """Keeps a document if all filters do; the first rejection counts. A context manager."""

    def __init__(self, filters: Iterable[Filter]) -> None:
        self._filters = tuple(filters)

    def judge(self, document: Document) -> Rejection | None:
        return next(filter(None, (one.judge(document) for one in self._filters)), None)

    def remember(self, documents: Sequence[Document]) -> None:
        for one in self._filters:
            one.remember(documents)

    def release(self, texts: Sequence[tuple[str, bytes]]) -> None:
        for one in self._filters:
            one.release(texts)

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

"""The interface of filters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from crawler.items import Document
from crawler.outcomes import Rejection


class Filter(ABC):
    """Decides for each document whether it is kept.

    To add a filter, subclass this in a new module, and create it in ``job_filters`` from
    the job's ``[filters]`` table.
    """

    @abstractmethod
    def judge(self, document: Document) -> Rejection | None:
        """None to keep the document. After a crash, the same document may come again."""

    def remember(self, documents: Iterable[Document]) -> None:  # noqa: B027 - most have no state
        """Called when kept documents are safe on disk, so that their state may be persisted."""

    def forget(self, document: Document) -> None:  # noqa: B027 - most have no state
        """Called if a document passed ``judge`` but could not be written."""

    def close(self) -> None:  # noqa: B027 - most have nothing to close
        """Close files."""

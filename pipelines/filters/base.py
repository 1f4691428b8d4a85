"""The face of every filter."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from crawler.items import Document, Rejection


class Filter(ABC):
    """Says of each document whether it is kept.

    Subclass it in a file of its own and add it to ``registry.FILTERS``. The job's options are the
    keyword arguments of the constructor, which raises ValueError for a value that makes no sense.

    state_file: the name of the file in which the filter remembers what it saw; its path comes as
        the argument ``path``. None for filters that look at one document alone.
    last: whether it comes after the others, because it may only know documents that are kept.
    """

    state_file: ClassVar[str | None] = None
    last: ClassVar[bool] = False

    @abstractmethod
    def judge(self, document: Document) -> Rejection | None:
        """None to keep the document. The same document may come again after a crash."""

    def remember(self, documents: Iterable[Document]) -> None:  # noqa: B027 - most have no memory
        """These were kept and are safe on the disk: a restarted crawl may know them."""

    def forget(self, document: Document) -> None:  # noqa: B027 - most have no memory
        """It was judged to be kept, and was not written after all."""

    def close(self) -> None:  # noqa: B027 - most have nothing to let go of
        """Let go of files."""

"""The face of every filter."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from crawler.items import Document
from crawler.verdicts import Rejection


class Filter(ABC):
    """Says of each document whether it is kept.

    Subclass it in a file of its own and make it in ``pipelines.job_filters``, from what the job's
    table ``[filters]`` says.
    """

    @abstractmethod
    def judge(self, document: Document) -> Rejection | None:
        """None to keep the document. The same document may come again after a crash."""

    def remember(self, documents: Iterable[Document]) -> None:  # noqa: B027 - most have no memory
        """These were kept and are safe on the disk: a restarted crawl may know them."""

    def forget(self, document: Document) -> None:  # noqa: B027 - most have no memory
        """It was judged to be kept, and was not written after all."""

    def close(self) -> None:  # noqa: B027 - most have nothing to let go of
        """Let go of files."""

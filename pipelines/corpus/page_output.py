"""The interface of outputs beside the shards, such as WARC files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from crawler.items import Page


class PageOutput(ABC):
    """Keeps something of every page. Used by one thread at a time, while the writer's lock is held.

    All methods raise CorpusError if a write fails.
    """

    @abstractmethod
    def write(self, page: Page, version: int = 1) -> Mapping[str, Any]:
        """Write what is kept of the page; returns the fields of its document that name it.

        version: of the document.

        After a crash, the same page may come again.
        """

    def sync(self) -> None:  # noqa: B027 - files of one page are synced as they are written
        """Return once everything written is on disk; called before pages are acknowledged."""

    def complete(self) -> None:  # noqa: B027 - files of one page are complete
        """Give open files their final names."""

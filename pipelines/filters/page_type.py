"""Pages of types that are not wanted."""

from __future__ import annotations

from collections.abc import Sequence

from crawler.items import Document, Rejection
from pipelines.filters.base import Filter


class PageType(Filter):
    """Only pages of these types. unsure: whether to keep pages whose type is not known."""

    def __init__(self, *, allowed: Sequence[str], unsure: bool = True) -> None:
        if isinstance(allowed, str) or not allowed:
            raise ValueError(f"allowed needs a list of types such as ['forum'], not {allowed!r}")
        self._allowed = frozenset(allowed)
        self._unsure = unsure

    def judge(self, document: Document) -> Rejection | None:
        if document.page_type is None:
            return None if self._unsure else Rejection("page-type", "unsure")
        if document.page_type in self._allowed:
            return None
        return Rejection("page-type", document.page_type)

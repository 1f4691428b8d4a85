"""Pages of genres or types, and texts in languages, that are not wanted."""

from __future__ import annotations

from collections.abc import Callable, Collection

from crawler.items import Document
from crawler.verdicts import Rejection
from pipelines.filters.base import Filter


class Allowed(Filter):
    """Only documents that are one of what is allowed, by one thing that is known of them.

    reason: of the rejection; its detail is what the document is.
    value: what a document is; None where nobody knows, and then it is not kept.
    unknown: the detail for those.
    """

    def __init__(
        self,
        reason: str,
        value: Callable[[Document], str | None],
        allowed: Collection[str],
        *,
        unknown: str,
    ) -> None:
        self._reason = reason
        self._value = value
        self._allowed = frozenset(allowed)
        self._unknown = unknown

    def judge(self, document: Document) -> Rejection | None:
        value = self._value(document)
        return None if value in self._allowed else Rejection(self._reason, value or self._unknown)

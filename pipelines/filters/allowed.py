"""Filters by language, genre or page type."""

from __future__ import annotations

from collections.abc import Callable, Collection

from crawler.items import Document
from crawler.outcomes import Rejection
from pipelines.filters.base import Filter


class Allowed(Filter):
    """Keeps documents whose value of one property is allowed.

    reason: of the rejection; its detail is the document's value.
    value: returns a document's value; documents whose value is None are rejected.
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

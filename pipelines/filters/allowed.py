"""Filters by language, genre or page type."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from corpus_commons.kinds import UNSURE
from crawler.items import Document
from crawler.outcomes import Rejection
from pipelines.filters.base import Filter
from settings.tables.filters import Filters


class Allowed(Filter):
    """Keeps documents whose value of one field is allowed.

    rejection: of documents without a value; for others, its detail is the value.
    """

    def __init__(self, field: str, allowed: Collection[str], rejection: Rejection) -> None:
        self._field = field
        self._allowed = frozenset(allowed)
        self._rejection = rejection

    def judge(self, document: Document) -> Rejection | None:
        value = getattr(document, self._field)
        if value in self._allowed:
            return None
        return replace(self._rejection, detail=value) if value else self._rejection


def allowed_languages(filters: Filters, _: Path) -> Filter | None:
    return _allowed("language", filters.languages, Rejection("language", "unknown"))


def allowed_genres(filters: Filters, _: Path) -> Filter | None:
    return _allowed("genre", filters.genres, Rejection("genre", UNSURE))


def allowed_page_types(filters: Filters, _: Path) -> Filter | None:
    return _allowed("page_type", filters.page_types, Rejection("page-type", UNSURE))


def _allowed(field: str, allowed: Collection[str], rejection: Rejection) -> Filter | None:
    return Allowed(field, allowed, rejection) if allowed else None

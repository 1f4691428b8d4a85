"""The filters that a job's file asks for."""

from __future__ import annotations

from typing import Any

from settings.tables.filters import Filters


def filter_options(filters: Filters) -> dict[str, dict[str, Any]]:
    """The options of each filter by its name, for ``pipelines.filters.filter_chain``.

    Who names the genres to be kept does not want pages of which nobody knows what they are.

    >>> filter_options(Filters(min_words=10, languages=("en",), duplicates="keep"))
    {'minimum-length': {'words': 10}, 'language': {'allowed': ('en',)}}
    """
    options: dict[str, dict[str, Any]] = {"minimum-length": {"words": filters.min_words}}
    if filters.languages:
        options["language"] = {"allowed": filters.languages}
    if filters.genres:
        options["genre"] = {"allowed": filters.genres, "unsure": False}
    if filters.page_types:
        options["page-type"] = {"allowed": filters.page_types, "unsure": False}
    if filters.duplicates == "drop":
        options["duplicate"] = {}
    return options

"""The filters of a job file. To add a filter, add a module in ``filters`` and a line here."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pipelines.filters import Filter, FilterChain
from pipelines.filters.allowed import Allowed
from pipelines.filters.duplicate_text import DuplicateText
from pipelines.filters.minimum_length import MinimumLength
from settings.tables.filters import Filters

_TEXTS: Final = "texts.sqlite"


def filter_chain(filters: Filters, state: Path) -> FilterChain:
    """The filters, in the order in which they are applied.

    state: the folder in which this worker's filters store their state.
    Raises CorpusError if that state cannot be opened.
    """
    languages, genres, types = filters.languages, filters.genres, filters.page_types
    chain: list[Filter] = [MinimumLength(filters.min_words)]
    if languages:
        chain.append(Allowed("language", lambda one: one.language, languages, unknown="unknown"))
    if genres:
        chain.append(Allowed("genre", lambda one: one.genre, genres, unknown="unsure"))
    if types:
        chain.append(Allowed("page-type", lambda one: one.page_type, types, unknown="unsure"))
    # Last: only texts that pass all other filters count as first copies.
    if filters.duplicates == "drop":
        chain.append(DuplicateText(state / _TEXTS))
    return FilterChain(chain)

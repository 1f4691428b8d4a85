"""Document filters: each one keeps a document or says why not.

To add a filter, write a module like ``minimum_length`` and add a line to ``FILTERS``. What a job
may choose about it is a key of ``settings.tables.filters``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from pipelines.filters.allowed import allowed_genres, allowed_languages, allowed_page_types
from pipelines.filters.base import Filter, FilterChain
from pipelines.filters.duplicate_text import DuplicateText
from pipelines.filters.minimum_length import MinimumLength
from settings.tables.filters import Filters

# They take the job's filters and a folder for state; the result is None if the job asks for none.
FILTERS: Final[list[Callable[[Filters, Path], Filter | None]]] = [
    MinimumLength.of_job,
    allowed_languages,
    allowed_genres,
    allowed_page_types,
    # Last: only texts that pass all other filters count as first copies.
    DuplicateText.of_job,
]


def filter_chain(filters: Filters, state: Path) -> FilterChain:
    """The filters, in the order in which they are applied.

    state: the folder in which this worker's filters store their state.
    Raises CorpusError if that state cannot be opened.
    """
    return FilterChain(one for make in FILTERS if (one := make(filters, state)) is not None)

"""The filters by name. A new one is a module and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from pathlib import Path
from typing import Any, Final

from pipelines.filters.base import Filter
from pipelines.filters.chain import FilterChain
from pipelines.filters.duplicate_text import DuplicateText
from pipelines.filters.genre import Genre
from pipelines.filters.language import Language
from pipelines.filters.minimum_length import MinimumLength
from pipelines.filters.page_type import PageType

FILTERS: Final[dict[str, type[Filter]]] = {
    "minimum-length": MinimumLength,
    "language": Language,
    "genre": Genre,
    "page-type": PageType,
    "duplicate": DuplicateText,
}


def filter_chain(options: Mapping[str, Mapping[str, Any]], state: Path) -> FilterChain:
    """The filters of a job, in the job's order; those that must be last are put last.

    options: the options of each filter by its name, e.g. ``{"language": {"allowed": ["en"]}}``.
    state: the folder of this worker in which filters remember what they saw.
    Raises ValueError that names the filter and the option that is wrong; CorpusError if the
    memory of a filter cannot be opened.
    """
    for name in options:
        if name not in FILTERS:
            raise ValueError(f"there is no filter {name!r}; there are {', '.join(FILTERS)}")
    return FilterChain([_made(name, given, state) for name, given in options.items()])


def _made(name: str, given: Mapping[str, Any], state: Path) -> Filter:
    kind = FILTERS[name]
    known = [option for option in signature(kind).parameters if option != "path"]
    for option in given:
        if option not in known:
            choices = f"its options are {', '.join(known)}" if known else "it has no options"
            raise ValueError(f"filter {name!r} has no option {option!r}; {choices}")
    arguments = dict(given)
    if kind.state_file is not None:
        arguments["path"] = state / kind.state_file
    try:
        return kind(**arguments)
    except (TypeError, ValueError) as error:
        raise ValueError(f"filter {name!r}: {error}") from error

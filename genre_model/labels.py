"""The kinds of page, and how the labels of the data sets map to them.

A page has two labels, its genre and its page type (``corpus_commons.kinds``). If the data have
another name for a page type, add a line to ``_PAGE_TYPE_OF``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from corpus_commons.kinds import GENRES, PAGE_TYPES

HEADS: Final[Mapping[str, tuple[str, ...]]] = {"genre": GENRES, "page_type": PAGE_TYPES}
"""The labels of both heads, in the order of the outputs; the heads are named as in the files."""

UNKNOWN: Final = -1
"""The index of no label."""

_PAGE_TYPE_OF: Final = {"home": "service", "list-view": "listing"}

_KNOWN: Final = {
    "genre": {*GENRES, *PAGE_TYPES, *_PAGE_TYPE_OF},
    "page_type": {*PAGE_TYPES, *_PAGE_TYPE_OF},
    "goce": {*GENRES},
}

_SHOPS: Final = (
    "wp-shop",
    "stem:shop",
    "stem:products",
    "stem:catalog",
    "stem:catalogue",
    "stem:collection",
    "stem:collections",
    "stem:category",
    "stem:property-grid",
)


def page_type_of(record: Mapping[str, object]) -> str | None:
    """The page type of a line of labels; None if it has none of ours.

    >>> page_type_of({"genre": "home", "subtype": "landing"})
    'service'
    >>> page_type_of({"genre": "home", "subtype": "post-list"})
    'listing'
    >>> page_type_of({"page_type": "forum"})
    'forum'
    """
    name = str(record.get("page_type") or record.get("genre") or "")
    subtype = str(record.get("subtype") or "")
    if subtype == "post-list":
        return "listing"
    if name == "list-view" and subtype in _SHOPS:
        return "collection"
    name = _PAGE_TYPE_OF.get(name, name)
    return name if name in PAGE_TYPES else None


def genre_of(record: Mapping[str, object]) -> str | None:
    """The paper's genre of a line of labels; None if neither fits.

    >>> genre_of({"genre": "documentation", "goce": "article"})
    'article'
    """
    name = record.get("goce") if "goce" in record else record.get("genre")
    return str(name) if name in GENRES else None


def unknown_names(record: Mapping[str, object]) -> list[str]:
    """The unknown names in a line of labels.

    >>> unknown_names({"genre": "home", "page_type": "Article", "goce": None})
    ["page_type 'Article'"]
    """
    return [
        f"{column} {str(name)!r}"
        for column, known in _KNOWN.items()
        if (name := record.get(column)) and str(name) not in known
    ]


def indices_of(labels: Iterable[str | None], names: Sequence[str]) -> npt.NDArray[np.int64]:
    """The index of each label among the names; UNKNOWN for None. Raises ValueError for others.

    >>> indices_of(["list-view", None, "article"], ("article", "list-view")).tolist()
    [1, -1, 0]
    """
    found = [UNKNOWN if label is None else names.index(label) for label in labels]
    return np.array(found, dtype=np.int64)

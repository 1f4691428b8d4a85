"""The kinds of page, and how the labels of the data sets map to them.

A page has two labels. Its *genre* is one of the GOCE paper's two, which has an extraction algorithm
for each. Its *page type* is finer: the types are those of the WCXB benchmark, and two more that are
common on the web. docs/reference/page-types.md shows a page of each.

To add a page type, add a line to ``PAGE_TYPES``, and one to ``_PAGE_TYPE_OF`` if its name in the
data differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

GENRES: Final = ("article", "list-view")

PAGE_TYPES: Final = (
    "article",  # news, a blog post, an essay, a story: one text to be read
    "documentation",  # manuals, references, tutorials of a project
    "product",  # one thing for sale
    "service",  # what somebody offers: home and landing pages, descriptions of services
    "forum",  # threads and lists of threads, questions and answers
    "collection",  # many things for sale: shops, catalogues
    "listing",  # many texts with a line or an excerpt each: blog fronts, archives, results
    "media",  # galleries, portfolios, pages about a video
    "other",  # about, contact, legal notices, forms, errors
)

HEADS: Final[Mapping[str, tuple[str, ...]]] = {"genre": GENRES, "page_type": PAGE_TYPES}
"""The labels of both heads, in the order of the outputs; the heads are named as in the files."""

TYPES_OF_GENRE: Final = {
    "article": ("article", "documentation"),
    "list-view": ("forum", "collection", "listing"),
}
"""The page types that imply a genre; pages of other types may have either genre, or none."""

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

"""The kinds of page: the two genres of the GOCE paper, and the finer page types.

A genre has an extraction algorithm of its own in the paper. The page types are those of the WCXB
benchmark, and two more that are common on the web; docs/reference/page-types.md shows a page of
each. To add a page type, add a line here, and one if it implies a genre.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

Genre = Literal["article", "list-view"]

PageType = Literal[
    "article",  # news, a blog post, an essay, a story: one text to be read
    "documentation",  # manuals, references, tutorials of a project
    "product",  # one thing for sale
    "service",  # what somebody offers: home and landing pages, descriptions of services
    "forum",  # threads and lists of threads, questions and answers
    "collection",  # many things for sale: shops, catalogues
    "listing",  # many texts with a line or an excerpt each: blog fronts, archives, results
    "media",  # galleries, portfolios, pages about a video
    "other",  # about, contact, legal notices, forms, errors
]

GENRES: Final[tuple[str, ...]] = get_args(Genre)
PAGE_TYPES: Final[tuple[str, ...]] = get_args(PageType)
KINDS: Final = tuple(dict.fromkeys((*GENRES, *PAGE_TYPES)))
"""The genres and the page types; ``article`` is one of each."""

GENRE_OF_TYPE: Final[Mapping[str, str]] = {
    "article": "article",
    "documentation": "article",
    "forum": "list-view",
    "collection": "list-view",
    "listing": "list-view",
}
"""The genre that a page type implies; pages of other types may have either, or none."""

UNSURE: Final = "unsure"
"""Stands for the kind of a page where no model is sure enough."""


def known_kind(genre: str | None) -> str | None:
    """The given kind of page; None if it is ``unsure``.

    Raises ValueError for an unknown name.

    >>> known_kind("forum"), known_kind("unsure")
    ('forum', None)
    """
    if genre is None or genre in KINDS:
        return genre
    if genre == UNSURE:
        return None
    raise ValueError(
        f"genre is {genre!r}; it must be one of {', '.join(KINDS)}, "
        f"or None or {UNSURE!r} if it is unknown"
    )

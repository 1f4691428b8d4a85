"""The kinds of page that an extractor may be told of: the names that ``genre_model`` gives."""

from __future__ import annotations

from typing import Final

KINDS: Final = (
    "article",
    "list-view",
    "documentation",
    "product",
    "service",
    "forum",
    "collection",
    "listing",
    "media",
    "other",
)
"""The two genres and the page types; ``article`` is both."""

_KNOWN: Final = frozenset(KINDS)
_UNSURE: Final = "unsure"


def told(genre: str | None) -> str | None:
    """The kind of page; None where it is not known, as ``unsure`` says.

    Raises ValueError for a name that is none of ours.

    >>> told("forum"), told("unsure")
    ('forum', None)
    """
    if genre is None or genre in _KNOWN:
        return genre
    if genre == _UNSURE:
        return None
    raise ValueError(
        f"genre is {genre!r}; it must be one of {', '.join(KINDS)}, "
        f"or None or {_UNSURE!r} where it is not known"
    )

"""The kinds of page that extractors accept as ``genre``: the labels of ``genre_model``."""

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
"""The two genres and the page types; ``article`` is one of each."""

_KNOWN: Final = frozenset(KINDS)
_UNSURE: Final = "unsure"


def known_kind(genre: str | None) -> str | None:
    """The given kind of page; None if it is ``unsure``.

    Raises ValueError for an unknown name.

    >>> known_kind("forum"), known_kind("unsure")
    ('forum', None)
    """
    if genre is None or genre in _KNOWN:
        return genre
    if genre == _UNSURE:
        return None
    raise ValueError(
        f"genre is {genre!r}; it must be one of {', '.join(KINDS)}, "
        f"or None or {_UNSURE!r} if it is unknown"
    )

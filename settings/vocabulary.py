"""The names that a job may use for genres, page types, extraction methods and their output.

They are written down again, because settings import neither the models nor the methods; a test
holds them against ``genre_model.labels``, ``extraction.registry`` and ``extraction.output``.
"""

from __future__ import annotations

from typing import Literal, get_args

Genre = Literal["article", "list-view"]

PageType = Literal[
    "article",
    "documentation",
    "product",
    "service",
    "forum",
    "collection",
    "listing",
    "media",
    "other",
]

Method = Literal[
    "default",
    "all-text",
    "goce",
    "goce-article",
    "goce-list-view",
    "bte",
    "boilerpipe-article",
    "boilerpipe-default",
    "boilerpipe-canola",
    "web2text",
    "victor",
    "boosted-blocks",
    "elements",
    "trafilatura",
    "trafilatura-precision",
    "trafilatura-recall",
    "readability",
    "justext",
    "resiliparse",
    "newspaper",
]

Format = Literal["text", "markdown", "html"]

Comments = Literal["drop", "keep", "separate"]

GENRES: tuple[str, ...] = get_args(Genre)
PAGE_TYPES: tuple[str, ...] = get_args(PageType)
METHODS: tuple[str, ...] = get_args(Method)
FORMATS: tuple[str, ...] = get_args(Format)
COMMENTS: tuple[str, ...] = get_args(Comments)

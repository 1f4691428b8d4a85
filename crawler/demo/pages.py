"""Reads the sources of pages: TOML between ``+++`` lines, then Markdown."""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from markdown_it import MarkdownIt
from markupsafe import Markup

_FENCE: Final = "+++\n"
_MARKDOWN: Final = MarkdownIt("commonmark").enable("table")


class PageError(ValueError):
    """The source of a page is invalid; the message names the file and says what is wrong."""


@dataclass(frozen=True, kw_only=True)
class Encoding:
    """The real encoding of a page, and the declared ones; empty if not declared."""

    written: str = "utf-8"
    header: str = "utf-8"
    meta: str = "utf-8"


@dataclass(frozen=True, kw_only=True)
class Page:
    """One page of the site.

    ``path`` may have a query. ``html`` is the body as HTML; ``data`` has fields for a single layout
    (a product's price, the posts of a thread). An ``unlisted`` page is in no list, related links
    or sitemap.
    """

    path: str
    layout: str
    title: str
    summary: str
    language: str = "en"
    author: str = ""
    date: datetime.date = datetime.date(2026, 1, 1)
    picture: str = ""
    tags: tuple[str, ...] = ()
    unlisted: bool = False
    encoding: Encoding = field(default_factory=Encoding)
    html: Markup = field(default_factory=Markup)
    data: Mapping[str, Any] = field(default_factory=dict)


def markdown(text: str) -> Markup:
    """Markdown with tables as HTML."""
    return Markup(_MARKDOWN.render(text))  # noqa: S704 - raw HTML in a source is meant


def read_pages(folder: Path) -> list[Page]:
    """Every ``*.md`` below ``folder``, newest first. Raises PageError."""
    pages = [read_page(file) for file in sorted(folder.rglob("*.md"))]
    owners: dict[str, Page] = {}
    for page in pages:
        if page.path in owners:
            raise PageError(f"two pages have the path {page.path!r}; paths must be unique")
        owners[page.path] = page
    return sorted(pages, key=lambda page: page.date, reverse=True)


def read_page(file: Path) -> Page:
    """The page in ``file``. Raises PageError."""
    before, fence, rest = file.read_text(encoding="utf-8").partition(_FENCE)
    head, end, body = rest.partition(_FENCE)
    if before or not fence or not end:
        raise PageError(f"{file}: must begin with TOML between two lines of '+++'")
    try:
        data = tomllib.loads(head)
        fields: dict[str, Any] = {
            name: data.pop(name) for name in Page.__dataclass_fields__ if name in data
        }
        fields["encoding"] = Encoding(**fields.get("encoding", {}))
        fields["tags"] = tuple(fields.get("tags", ()))
        return Page(**fields, html=markdown(body), data=data)
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise PageError(f"{file}: {error}") from error

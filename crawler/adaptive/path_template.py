"""The template of a URL: what the pages of a site that one program makes have in common."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import parse_qsl, urlsplit

_FIXED: Final = re.compile(r"[a-z][a-z_-]{0,19}", re.I)
_NUMBER: Final = re.compile(r"\d+")
_EXTENSION: Final = re.compile(r"\.[a-z][a-z0-9]{1,4}\Z", re.I)
_MOST_PARTS: Final = 8


def path_template(url: str) -> str:
    """The path with ``#`` for numbers and ``*`` for names, and the names of the query.

    >>> path_template("https://example.com/blog/2024/05/rain.html")
    '/blog/#/#/*.html'
    >>> path_template("https://example.com/shop/the-long-name-of-a-thing/reviews?page=2&sort=up")
    '/shop/*/*?page&sort'
    >>> path_template("https://example.com/")
    '/'
    """
    parts = urlsplit(url)
    *folders, last = parts.path.split("/")
    shown = [_folder(folder) for folder in folders[:_MOST_PARTS]]
    extension = _EXTENSION.search(last)
    name = ("#" if _NUMBER.fullmatch(last) else "*") if last else ""
    names = sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)})
    query = f"?{'&'.join(names[:_MOST_PARTS])}" if names else ""
    return f"{'/'.join((*shown, name))}{extension[0] if extension else ''}{query}"


def _folder(name: str) -> str:
    if not name or _FIXED.fullmatch(name):
        return name
    return "#" if _NUMBER.fullmatch(name) else "*"

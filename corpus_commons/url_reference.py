"""Resolves references, such as links, against a base URL as browsers do.

That is section 5.2 of RFC 3986 as the URL Standard reads it (https://url.spec.whatwg.org): slashes
may be backslashes, tabs and line breaks do not count, nor do further slashes before a host, and
``http:a`` is relative to a base of that scheme. Unlike a parser of that standard, this leaves all
characters as they are written: how those of a query are encoded depends on the page.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

# The schemes whose URLs have a host and a path; others have nothing to resolve.
_WEB: Final = frozenset({"ftp", "http", "https", "ws", "wss"})
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_PARTS: Final = re.compile(r"(//[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)
_BEFORE_QUERY: Final = re.compile(r"\A[^?#]*")
_ODD: Final = re.compile(r"[\x00-\x20\\]")
_AROUND: Final = "".join(map(chr, range(0x21)))
_NOT_READ: Final = str.maketrans("", "", "\t\r\n")
_DOT: Final = re.compile("%2e", re.IGNORECASE)
# A page's links have one base; a feed's entries may have four.
_MOST_BASES: Final = 16


class _Base(NamedTuple):
    """A base URL. origin: what is before its path. folder: its path up to the last slash."""

    scheme: str
    origin: str
    path: str
    folder: str
    query: str


def joined(base: str, reference: str) -> str:
    """The URL that a reference means; takes linear time.

    Whether that is valid is not checked. Without a base, a relative reference is left as it is.

    >>> joined("http://example.com/a/b?page=3", "c"), joined("http://example.com/a/b?page=3", "?")
    ('http://example.com/a/c', 'http://example.com/a/b?')
    >>> joined("https://example.com/web/http://example.org/a/b", "../c//d#e")
    'https://example.com/web/http://example.org/c//d#e'
    """
    text, there = as_read(reference), _base(base)
    named = _SCHEME.match(text)
    if named:
        scheme, text = named[1].lower(), text[named.end() :]
        if scheme not in _WEB:
            return f"{scheme}:{text}"
        if scheme != there.scheme or text.startswith("//"):
            return f"{scheme}:{_with_host(text)}"
    if not base:
        return text
    if text.startswith("//"):
        return f"{there.scheme}:{_with_host(text)}"
    _, path, query, fragment = _parts(text)
    if not path:
        path, query = there.path, query or there.query
    elif not path.startswith("/"):
        path = there.folder + path
    return f"{there.origin}{without_dots(path)}{query}{fragment}"


def as_read(reference: str) -> str:
    r"""What browsers read of a reference, with slashes for backslashes, except in its query.

    >>> print(as_read(" \\docs\\view.a\tsp?file=docs\\intro.htm\n"))
    /docs/view.asp?file=docs\intro.htm
    """
    if not _ODD.search(reference):
        return reference
    text = reference.strip(_AROUND).translate(_NOT_READ)
    return _BEFORE_QUERY.sub(lambda found: found[0].replace("\\", "/"), text, 1)


def without_dots(path: str) -> str:
    """An absolute path without the segments ``.`` and ``..``; empty segments are kept.

    >>> without_dots("/a/./b/../c//d/%2E%2e/..")
    '/a/c/'
    """
    if "/." not in path and "/%2" not in path:
        return path
    resolved: list[str] = []
    dots = ""
    for segment in path.split("/"):
        dots = _DOT.sub(".", segment)
        if dots == ".." and len(resolved) > 1:
            resolved.pop()
        elif dots not in (".", ".."):
            resolved.append(segment)
    if dots in (".", ".."):
        resolved.append("")
    return "/".join(resolved)


def host_in_url(host: str) -> str:
    """The host as in URLs: IPv6 addresses in brackets.

    >>> host_in_url("::1"), host_in_url("example.com")
    ('[::1]', 'example.com')
    """
    return f"[{host}]" if ":" in host else host


@lru_cache(_MOST_BASES)
def _base(url: str) -> _Base:
    text = as_read(url)
    named = _SCHEME.match(text)
    scheme = named[1].lower() if named else ""
    host, path, query, _ = _parts(text[named.end() :] if named else text)
    path = without_dots(path) or ("/" if host else "")
    origin = f"{scheme}:{host}" if scheme else host
    return _Base(scheme, origin, path, path[: path.rfind("/") + 1], query)


def _with_host(text: str) -> str:
    """What follows a scheme, with two slashes before the host however many are written."""
    host, path, query, fragment = _parts(f"//{text.lstrip('/')}")
    return f"{host}{without_dots(path)}{query}{fragment}"


def _parts(text: str) -> tuple[str, ...]:
    """What is before the path, the path, the query and the fragment, each with its marks."""
    return _PARTS.fullmatch(text).groups("")  # type: ignore[union-attr]

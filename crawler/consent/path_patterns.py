"""Path patterns of robots.txt (RFC 9309, sections 2.2.2 and 2.2.3), which other protocols share."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, unquote_to_bytes, urlsplit

_ENCODED: Final = re.compile(r"%[0-9A-Fa-f]{2}")
_BEYOND_ASCII: Final = re.compile(r"[^\x21-\x7e]+")
_UNRESERVED: Final = re.compile(rb"[A-Za-z0-9._~-]")


def path_of(url: str) -> str:
    """The path of a URL with its query, as patterns are compared with it; at least ``/``."""
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    return normal((parts.path or "/") + query)


def normal(text: str) -> str:
    """The path with one spelling of each character: unreserved ones plain, others encoded.

    >>> normal("/%7euser/caf\u00e9%2f")
    '/~user/caf%C3%A9%2F'
    """
    encoded = _BEYOND_ASCII.sub(lambda found: quote(found[0]), text)
    return _ENCODED.sub(_spelt, encoded)


def _spelt(found: re.Match[str]) -> str:
    character = unquote_to_bytes(found[0])
    return character.decode("ascii") if _UNRESERVED.fullmatch(character) else found[0].upper()


def matches(pattern: str, path: str) -> bool:
    """Whether the path begins with the pattern; ``*`` is any text, a final ``$`` the end.

    path: from ``path_of``. It takes linear time, whatever the pattern.

    >>> [matches("/*.php$", path) for path in ("/a.php", "/a.php?b", "/b")]
    [True, False, False]
    """
    is_whole = pattern.endswith("$")
    first, *pieces = normal(pattern.removesuffix("$")).split("*")
    if not path.startswith(first):
        return False
    if not pieces:
        return not is_whole or path == first
    at = len(first)
    for piece in pieces[:-1] if is_whole else pieces:
        found = path.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return not is_whole or (path.endswith(pieces[-1]) and len(path) - len(pieces[-1]) >= at)

"""The URLs in a page: resolved against its base, and kept only if they are safe."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from corpus_commons.markup.base_address import base_href
from corpus_commons.url_reference import joined

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom

# Percent-encoded in URLs: white space, control characters, and what would end the URL in markup.
_UNSAFE = re.compile(r"[\x00-\x20\x7f\u0080-\u00a0\u2028\u2029\"<>\\^`{|}]")
_MAX_CHARACTERS = 4_000
# The URL characters that a document may contain in all; only hostile pages have more.
_MAX_TOTAL_CHARACTERS = 10_000_000


class UrlBudget:
    """A limit on the total length of the URLs written into one document.

    Without it, a small page could produce a huge document: a long base URL is prepended to every
    relative link, and a link around many paragraphs is repeated in each.
    """

    def __init__(self) -> None:
        self._left = _MAX_TOTAL_CHARACTERS

    def takes(self, url: str) -> bool:
        """Count this URL; whether the limit still holds."""
        self._left -= len(url)
        return self._left >= 0


def base_url(dom: Dom, url: str | None) -> str:
    """The URL against which relative URLs of the page are resolved; empty if unknown.

    As in browsers, U+FFFD stands for its lone surrogates, which no text in UTF-8 can have.
    """
    sound = (url or "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return resolved(sound, base_href(dom)) or sound


def resolved(base: str, url: str) -> str:
    """``url`` made absolute if there is a base; empty if malformed, too long or not HTTP(S)."""
    if not url:
        return ""
    target = joined(base, url)
    try:
        scheme = urlsplit(target).scheme
    except ValueError:
        return ""
    return target if scheme in ("", "http", "https") and len(target) <= _MAX_CHARACTERS else ""


def link_target(base: str, href: str) -> str:
    """The absolute URL of a link; empty if it is not worth writing or not safe.

    Links within the page are left out, and all schemes but ``http``, ``https`` and ``mailto``.

    >>> link_target("https://a.example/b/", "../c d"), link_target("", "javascript:alert(1)")
    ('https://a.example/c%20d', '')
    """
    href = href.strip()
    if not href or href.startswith("#") or len(href) > _MAX_CHARACTERS:
        return ""
    target = joined(base, href)
    try:
        parts = urlsplit(target)
    except ValueError:
        return ""
    fetched = parts.scheme in ("http", "https") and bool(parts.netloc)
    is_written = (fetched or parts.scheme == "mailto") and len(target) <= _MAX_CHARACTERS
    return quoted(target) if is_written else ""


def image_source(url: str) -> str:
    """The URL of an image, safe to write; empty unless it is absolute."""
    return quoted(url) if url.startswith(("http://", "https://")) else ""


def quoted(url: str) -> str:
    """The URL with those characters percent-encoded that would end it in HTML or Markdown."""
    return _UNSAFE.sub(lambda found: _percent(found[0]), url)


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode())

"""What the addresses in a page lead to: resolved against its base, and only where they are safe."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

if TYPE_CHECKING:
    from markup.dom import Dom

# What a URL may not hold as it is: white space, control characters, and what ends it in markup.
_UNSAFE = re.compile(r"[\x00-\x20\x7f\u0080-\u00a0\u2028\u2029\"<>\\^`{|}]")
_LONGEST = 4_000
# Characters; as many as a page may have, and more than any but a hostile one writes of addresses.
_MOST = 10_000_000


class Room:
    """What a document has room for of addresses.

    A few characters of a page make a long one where its base is long, and one round many
    paragraphs is written for each.
    """

    def __init__(self) -> None:
        self._left = _MOST

    def takes(self, url: str) -> bool:
        """Whether there is room for one more, which it has then."""
        self._left -= len(url)
        return self._left >= 0


def base_url(dom: Dom, url: str | None) -> str:
    """What relative URLs of the page are resolved against; empty if nothing is known."""
    for node in dom.elements("base").tolist():
        if href := dom.attributes[node].get("href"):
            return resolved(url or "", href) or url or ""
    return url or ""


def resolved(base: str, url: str) -> str:
    """``url`` made absolute if the base allows; empty if malformed, too long, not for fetching."""
    if not url:
        return ""
    try:
        joined = urljoin(base, url)
        scheme = urlsplit(joined).scheme
    except ValueError:
        return ""
    return joined if scheme in ("", "http", "https") and len(joined) <= _LONGEST else ""


def link_target(base: str, href: str) -> str:
    """The absolute URL that a link leads to; empty where it leads nowhere a reader may go.

    Left out are links within the page itself, and all but ``http``, ``https`` and ``mailto``.

    >>> link_target("https://a.example/b/", "../c d"), link_target("", "javascript:alert(1)")
    ('https://a.example/c%20d', '')
    """
    href = href.strip()
    if not href or href.startswith("#") or len(href) > _LONGEST:
        return ""
    try:
        joined = urljoin(base, href)
        parts = urlsplit(joined)
    except ValueError:
        return ""
    fetched = parts.scheme in ("http", "https") and bool(parts.netloc)
    is_written = (fetched or parts.scheme == "mailto") and len(joined) <= _LONGEST
    return quoted(joined) if is_written else ""


def image_source(url: str) -> str:
    """The URL of an image as it may be written; empty unless it is absolute."""
    return quoted(url) if url.startswith(("http://", "https://")) else ""


def quoted(url: str) -> str:
    """The URL without characters that would end it in HTML or Markdown."""
    return _UNSAFE.sub(lambda found: _percent(found[0]), url)


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "replace"))

"""Recognises the names of a site, which are not titles of its pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import urldefrag, urljoin, urlsplit

from settings.addresses import registered_domain

_NO_LETTERS = re.compile(r"[\W_]+")
_INDEX = re.compile(r"(?:index|default|home)\.\w+$")


class SiteNames:
    """The names of a site, compared without case and punctuation.

    They include variants of its domain: "The Example", "example.org" and "Ex Ample" for
    example.org.
    """

    def __init__(self, names: Iterable[str | None], url: str) -> None:
        self._keys = {key for name in names if name and (key := _key(name))}
        self._keys.update(_of_address(url))

    def __contains__(self, text: str) -> bool:
        return _key(text) in self._keys


def leads_above(target: str, url: str) -> bool:
    """Whether a link leads to the home page of the site, or of the section that the page is in.

    >>> leads_above("/", "https://example.org/2024/a"), leads_above("b", "https://example.org/a")
    (True, False)
    >>> leads_above("/blog", "https://example.org/blog/a"), leads_above("/?a", "https://example.org/")
    (True, False)
    """
    try:
        there, here = urlsplit(urldefrag(urljoin(url, target.strip())).url), urlsplit(url)
    except ValueError:
        return False
    is_site = there.netloc.removeprefix("www.") == here.netloc.removeprefix("www.")
    folder = _INDEX.sub("", there.path).rstrip("/") + "/"
    page = here.path.rstrip("/") + "/"
    is_above = page.startswith(folder) and (page != folder or bool(here.query))
    return is_site and not there.query and is_above


def _key(text: str) -> str:
    return _NO_LETTERS.sub("", text.casefold())


def _of_address(url: str) -> Iterator[str]:
    try:
        domain = registered_domain(urlsplit(url).hostname or "")
    except ValueError:
        return
    if domain:
        label = _key(domain.partition(".")[0])
        yield from (_key(domain), label, f"the{label}")

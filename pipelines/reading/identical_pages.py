"""Recognises byte-identical pages: mirrors, or one page under several query strings."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from crawler.items import Page
from crawler.outcomes import DUPLICATE, Rejection

# About 250 bytes each.
MOST: Final = 100_000

# The hash of the body (SipHash with a secret of the process, PEP 456), its length, its charset.
Key = tuple[int, int, str | None]


class IdenticalPages:
    """The latest pages that became documents, so that exact copies need not be extracted.

    For jobs that drop duplicates and whose texts do not depend on the page's URL. It is only an
    optimisation, so it is not persisted: copies that it does not know are found by their text.
    Rendered pages are left out, because their content may depend on the URL.

    most: how many pages it remembers.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._ids: OrderedDict[Key, str] = OrderedDict()

    def add(self, page: Page) -> None:
        """Remember a page that became a document."""
        if page.rendered_html is None:
            self.add_bytes(page.id, page.html, page.charset)

    def add_bytes(self, name: str, html: bytes, charset: str | None) -> None:
        """Remember the body of a page that became the document of this id."""
        self._ids[_key(html, charset)] = name
        if len(self._ids) > self._most:
            self._ids.popitem(last=False)

    def judge(self, page: Page) -> Rejection | None:
        """The rejection of an exact copy, or None. A repeated fetch of the same page is no copy."""
        if page.rendered_html is not None:
            return None
        first = self._ids.get(_key(page.html, page.charset))
        if first is None or first == page.id:
            return None
        return Rejection(DUPLICATE, f"byte-identical to the page of document {first}")


def _key(html: bytes, charset: str | None) -> Key:
    return hash(html), len(html), charset

"""Recognises byte-identical pages: mirrors, or one page under several query strings."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from crawler.html import Html
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
        self.add_html(page.id, page.best_html)

    def add_html(self, name: str, html: Html) -> None:
        """Remember what the document of this id was read from, if it was not rendered."""
        key = _key(html)
        if key is None:
            return
        self._ids[key] = name
        if len(self._ids) > self._most:
            self._ids.popitem(last=False)

    def judge(self, page: Page) -> Rejection | None:
        """The rejection of an exact copy, or None. A repeated fetch of the same page is no copy."""
        key = _key(page.best_html)
        first = self._ids.get(key) if key is not None else None
        if first is None or first == page.id:
            return None
        return Rejection(DUPLICATE, f"byte-identical to the page of document {first}")


def _key(html: Html) -> Key | None:
    """None if it was rendered: then no bytes say what it is."""
    if isinstance(html.content, str):
        return None
    return hash(html.content), len(html.content), html.charset

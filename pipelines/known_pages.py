"""Pages that were served before, byte for byte: mirrors, one page under several query strings."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from crawler.items import Page
from crawler.verdicts import DUPLICATE, Rejection

# About 250 bytes each.
MOST: Final = 100_000

# The hash of bytes, with a secret of the process (SipHash, PEP 456), their length, their charset.
Key = tuple[int, int, str | None]


class KnownPages:
    """The last pages that became documents: one that is the same need not be read for its text.

    It is for jobs that want each text once, where nothing in a text depends on the page's URL. What
    it no longer knows is found by its text, and so it lasts no longer than the process. Only pages
    as served are known: what a browser draws may depend on the URL.

    most: how many are known.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._ids: OrderedDict[Key, str] = OrderedDict()

    def add(self, page: Page) -> None:
        """It became a document."""
        key = _key(page)
        if key is None:
            return
        self._ids[key] = page.id
        if len(self._ids) > self._most:
            self._ids.popitem(last=False)

    def judge(self, page: Page) -> Rejection | None:
        """Why it need not be read; None if it must be. A page that comes again is no duplicate."""
        key = _key(page)
        first = self._ids.get(key) if key is not None else None
        if first is None or first == page.id:
            return None
        return Rejection(DUPLICATE, f"the page of the document with the id {first}, byte for byte")


def _key(page: Page) -> Key | None:
    if page.rendered_html is not None:
        return None
    return hash(page.html), len(page.html), page.charset

"""The URLs listed in a sitemap, feed or robots.txt."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Final
from urllib.parse import urljoin

from settings.addresses import LONGEST_URL

# sitemaps.org: at most 50,000 URLs per file.
MOST_ENTRIES: Final = 50_000


class ListError(ValueError):
    """A list that cannot be read; the message says why."""


class Entries:
    """Distinct absolute URLs, in order.

    url: of the file that lists them.
    problem: why some are missing; empty if none are.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._found: dict[str, None] = {}
        self.problem = ""

    @property
    def urls(self) -> tuple[str, ...]:
        return tuple(self._found)

    def add(self, text: str, bases: Sequence[str] = ()) -> None:
        """Add a URL as written; ``bases`` are the base URLs to resolve it with, outermost first."""
        text = text.strip()
        if not text or len(text) > LONGEST_URL:
            return
        if len(self._found) >= MOST_ENTRIES:
            self.problem = f"only the first {MOST_ENTRIES:,} entries are used"
            return
        with contextlib.suppress(ValueError):  # an invalid URL is refused later, by ``address``
            text = reduce(urljoin, (*bases, text), self._url)
        self._found[text] = None

    def add_all(self, texts: Iterable[str]) -> None:
        """Add URLs, up to the limit."""
        for text in texts:
            if self.problem:
                return
            self.add(text)

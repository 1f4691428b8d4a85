"""The URLs that a sitemap, feed or robots.txt names."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Final
from urllib.parse import urljoin

from settings.addresses import LONGEST_URL

# sitemaps.org: at most 50,000 URLs a file.
MOST_ENTRIES: Final = 50_000


class ListError(ValueError):
    """A list that cannot be read; the message says why."""


class Entries:
    """Absolute URLs, each once, in the order in which they are named.

    url: of the file that names them.
    problem: why they are not all; empty if they are.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._found: dict[str, None] = {}
        self.problem = ""

    @property
    def urls(self) -> tuple[str, ...]:
        return tuple(self._found)

    def add(self, text: str, bases: Sequence[str] = ()) -> None:
        """Add a URL as it is written; ``bases`` are what it is relative to, the outermost first."""
        text = text.strip()
        if not text or len(text) > LONGEST_URL:
            return
        if len(self._found) >= MOST_ENTRIES:
            self.problem = f"only the first {MOST_ENTRIES:,} entries are taken"
            return
        with contextlib.suppress(ValueError):  # no URL, as whoever asks for its address is told
            text = reduce(urljoin, (*bases, text), self._url)
        self._found[text] = None

    def add_all(self, texts: Iterable[str]) -> None:
        """Add URLs until there are too many."""
        for text in texts:
            if self.problem:
                return
            self.add(text)

"""What travels with a URL through the frontier: what kind of thing it is, and what led to it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final, Self

import orjson

from crawler.frontier.base import LONGEST_NOTE, Candidate

# A server that redirects more often leads nowhere.
MOST_REDIRECTS: Final = 8


class Kind(StrEnum):
    """What is fetched: a page, or something that only lists pages."""

    PAGE = "page"
    SITEMAP = "sitemap"
    FEED = "feed"
    ROBOTS = "robots"

    @property
    def label(self) -> str:
        """What logs and counts call it; their ``robots`` are the pages that robots.txt forbids."""
        return "robots.txt" if self is Kind.ROBOTS else self.value


@dataclass(frozen=True, slots=True)
class Note:
    """The note of a lease.

    kind: what is expected at the URL.
    level: of a sitemap, how many indexes lead to it.
    via: the URLs that redirected to this one, in order, as many as a note can hold.
    redirects: how many they were.
    """

    kind: Kind = Kind.PAGE
    level: int = 0
    via: tuple[str, ...] = ()
    redirects: int = 0

    @classmethod
    def read(cls, text: str) -> Self:
        """The note that ``text()`` wrote. Raises ValueError for any other text."""
        if not text:
            return cls()
        try:
            found = orjson.loads(text)
            return cls(
                Kind(found.get("kind", Kind.PAGE)),
                int(found.get("level", 0)),
                tuple(map(str, found.get("via", ()))),
                int(found.get("redirects", 0)),
            )
        except (ValueError, TypeError, AttributeError) as error:
            raise ValueError(f"{text[:80]!r} is not the note of a lease: {error}") from error

    def text(self) -> str:
        """Short, since the frontier keeps one for every URL; empty for an ordinary page.

        >>> Note().text(), Note(Kind.SITEMAP, level=1).text()
        ('', '{"kind":"sitemap","level":1}')
        """
        held = {name: value for name, value in asdict(self).items() if value}
        if self.kind is Kind.PAGE:
            del held["kind"]
        while len(text := orjson.dumps(held).decode() if held else "") > LONGEST_NOTE:
            held["via"] = held["via"][1:]
        return text

    def candidate(self, url: str, depth: int = 0, priority: int = 0) -> Candidate:
        """The URL with this note. A page of the same URL is another one."""
        kind = "" if self.kind is Kind.PAGE else self.kind.value
        return Candidate(url, depth, priority, self.text(), kind)

    def redirected(self, url: str) -> Note:
        """The note of the URL to which ``url`` redirects.

        >>> Note().redirected("http://example.com/a").via
        ('http://example.com/a',)
        """
        return Note(self.kind, self.level, (*self.via, url), self.redirects + 1)

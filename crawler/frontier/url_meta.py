"""The notes that the frontier stores with URLs: their kind, and the redirects that led to them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final, Self

import orjson

from crawler.frontier.base import LONGEST_NOTE, Candidate

# More redirects are taken for a loop.
MOST_REDIRECTS: Final = 8


class Kind(StrEnum):
    """The kind of a URL: a page, or a list of pages."""

    PAGE = "page"
    SITEMAP = "sitemap"
    FEED = "feed"
    ROBOTS = "robots"

    @property
    def label(self) -> str:
        """For logs and outcomes, where ``robots`` means pages that robots.txt disallows."""
        return "robots.txt" if self is Kind.ROBOTS else self.value


@dataclass(frozen=True, slots=True)
class UrlMeta:
    """The note of a lease.

    kind: of the URL.
    level: of a sitemap, the number of indexes above it.
    via: the URLs that redirected to this one, in order; the last ones, if a note cannot hold all.
    redirects: how many redirects there were.
    """

    kind: Kind = Kind.PAGE
    level: int = 0
    via: tuple[str, ...] = ()
    redirects: int = 0

    @classmethod
    def read(cls, text: str) -> Self:
        """The inverse of ``text``. Raises ValueError for an invalid note."""
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
        """The note as stored: short, because every URL has one; empty for an ordinary page.

        >>> UrlMeta().text(), UrlMeta(Kind.SITEMAP, level=1).text()
        ('', '{"kind":"sitemap","level":1}')
        """
        held = {name: value for name, value in asdict(self).items() if value}
        if self.kind is Kind.PAGE:
            del held["kind"]
        while len(text := orjson.dumps(held).decode() if held else "") > LONGEST_NOTE:
            held["via"] = held["via"][1:]
        return text

    def candidate(self, url: str, depth: int = 0, priority: int = 0) -> Candidate:
        """A candidate with this note. The same URL with another kind is another candidate."""
        kind = "" if self.kind is Kind.PAGE else self.kind.value
        return Candidate(url, depth, priority, self.text(), kind)

    def redirected(self, url: str) -> UrlMeta:
        """The note of the URL to which ``url`` redirects.

        >>> UrlMeta().redirected("http://example.com/a").via
        ('http://example.com/a',)
        """
        return UrlMeta(self.kind, self.level, (*self.via, url), self.redirects + 1)

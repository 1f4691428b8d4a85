"""What the frontier stores with a URL, as its note: its kind, and the redirects that led to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from pydantic import TypeAdapter

from crawler.frontier.base import LONGEST_NOTE, Candidate

# More redirects are taken for a loop.
MOST_REDIRECTS: Final = 8


class Kind(StrEnum):
    """The kind of a URL: a page, or a file that lists pages."""

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
    """The metadata of a URL.

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
    def read(cls, note: str) -> UrlMeta:
        """The inverse of ``text``. Raises ValueError for an invalid note."""
        if len(note) > LONGEST_NOTE:
            raise ValueError(f"a note has at most {LONGEST_NOTE} characters, not {len(note)}")
        return _NOTES.validate_json(note) if note else cls()

    def text(self) -> str:
        """The note as stored: short, because every URL has one; empty for an ordinary page.

        >>> UrlMeta().text(), UrlMeta(Kind.SITEMAP, level=1).text()
        ('', '{"kind":"sitemap","level":1}')
        """
        if self == UrlMeta():
            return ""
        text = _NOTES.dump_json(self, exclude_defaults=True).decode()
        return text if len(text) <= LONGEST_NOTE else replace(self, via=self.via[1:]).text()

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


_NOTES: Final = TypeAdapter(UrlMeta)

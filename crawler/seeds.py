"""Where a crawl starts, and what sitemaps, feeds and robots.txt add to that.

Nothing is fetched here. Sitemaps and feeds go through the frontier as pages do, with a note of
what they are, so that they are fetched as politely, tried again and survive a crash.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin, urlsplit, urlunsplit
from xml.parsers import expat

from protego import Protego

from crawler.frontier import Candidate
from crawler.notes import Kind, Note
from crawler.urls import LONGEST, UrlError, address
from settings.addresses import host_name
from settings.tables.seeds import Seeds

# sitemaps.org: at most 50,000 URLs and 50 MB a file, unpacked.
MOST_ENTRIES: Final = 50_000
LARGEST: Final = 50_000_000
# Indexes of indexes are not in the protocol, but on the web.
DEEPEST_INDEX: Final = 3
# Before other pages of the host, since they say which there are.
LIST_PRIORITY: Final = 100
_GZIP: Final = b"\x1f\x8b"
_GZIP_WINDOW: Final = 31


class SeedError(ValueError):
    """A sitemap or feed that cannot be read; the message says why."""


def seeds(table: Seeds) -> Iterator[Candidate]:
    """The candidates that a job starts with."""
    for url in (*table.urls, *file_urls(table)):
        yield Candidate(url)
    for kind, urls in ((Kind.SITEMAP, table.sitemaps), (Kind.FEED, table.feeds)):
        for url in urls:
            yield Candidate(url, priority=LIST_PRIORITY, note=Note(kind).text())
    if table.robots_sitemaps:
        for origin in sorted({_origin(url) for _, _, url in table.all_urls()}):
            note = Note(Kind.ROBOTS).text()
            yield Candidate(f"{origin}/robots.txt", priority=LIST_PRIORITY, note=note)


def file_urls(table: Seeds) -> Iterator[str]:
    """The lines of the job's files of URLs, without comments and blank ones."""
    for path in table.files:
        with path.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                text = line.strip()
                if text and not text.startswith("#"):
                    yield text.split()[0]


def seed_hosts(table: Seeds) -> set[str]:
    """The hosts of all seeds; lines of files that are no URL have none."""
    hosts = set()
    for url in (*(url for _, _, url in table.all_urls()), *file_urls(table)):
        try:
            hosts.add(host_name(address(url).host))
        except (UrlError, ValueError):
            continue
    return hosts


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc, "", "", ""))


@dataclass(frozen=True, slots=True)
class Listed:
    """What a sitemap, feed or robots.txt lists: pages, and further sitemaps."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()


def listed(kind: Kind, body: bytes, url: str) -> Listed:
    """What the file at ``url`` lists. Raises SeedError."""
    if kind is Kind.ROBOTS:
        rules = Protego.parse(body[:LARGEST].decode("utf-8", "replace"))
        return Listed(sitemaps=_absolute(rules.sitemaps, url))
    data = _unpacked(body)
    if kind is Kind.SITEMAP and not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        lines = data.decode("utf-8", "replace").splitlines()
        return Listed(pages=_absolute((line.strip() for line in lines), url))
    reader = _Reader()
    reader.read(data)
    return Listed(_absolute(reader.pages, url), _absolute(reader.sitemaps, url))


def _absolute(found: Iterable[str], url: str) -> tuple[str, ...]:
    kept: dict[str, None] = {}
    for text in found:
        if len(kept) >= MOST_ENTRIES:
            break
        if text and len(text) <= LONGEST:
            try:
                kept[urljoin(url, text)] = None
            except ValueError:
                continue
    return tuple(kept)


def _unpacked(body: bytes) -> bytes:
    """Unpack gzip, which sitemaps come in whatever their headers say, and no more than allowed."""
    if not body.startswith(_GZIP):
        return body
    unpack = zlib.decompressobj(_GZIP_WINDOW)
    try:
        data = unpack.decompress(body, LARGEST + 1)
    except zlib.error as error:
        raise SeedError(f"broken gzip: {error}") from error
    if len(data) > LARGEST:
        raise SeedError(f"unpacks to more than {LARGEST:,} bytes")
    return data


class _Reader:
    """Reads sitemaps, sitemap indexes, RSS and Atom as they come, whatever their namespaces.

    expat is told of no entity: a document type that declares some is not read further.
    """

    def __init__(self) -> None:
        self.pages: list[str] = []
        self.sitemaps: list[str] = []
        self._path: list[str] = []
        self._text: list[str] | None = None

    def read(self, data: bytes) -> None:
        """Read a whole document. What comes before an error is kept; SeedError if that is none."""
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = _refuse_entity
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            if not self.pages and not self.sitemaps:
                raise SeedError(f"is neither a sitemap nor a feed: {error}") from error

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        tag = _local(name)
        self._path.append(tag)
        if tag in ("loc", "link"):
            self._text = []
        # Atom: an entry's alternate link is the page; others are comments, editing, enclosures.
        if tag == "link" and "href" in attributes and self._path[-2:-1] == ["entry"]:
            if attributes.get("rel", "alternate") == "alternate":
                self._add(self.pages, attributes["href"])
            self._text = None

    def _characters(self, text: str) -> None:
        if self._text is not None and sum(map(len, self._text)) <= LONGEST:
            self._text.append(text)

    def _end(self, _: str) -> None:
        tag = self._path.pop()
        if self._text is None or tag not in ("loc", "link"):
            return
        text, self._text = "".join(self._text).strip(), None
        parent = self._path[-1] if self._path else ""
        if tag == "loc" and parent == "sitemap":
            self._add(self.sitemaps, text)
        elif (tag == "loc" and parent == "url") or (tag == "link" and parent == "item"):
            self._add(self.pages, text)

    @staticmethod
    def _add(found: list[str], text: str) -> None:
        if len(found) < MOST_ENTRIES:
            found.append(text.strip())


_PREFIX: Final = re.compile(r"^.*:")


def _local(name: str) -> str:
    return _PREFIX.sub("", name).lower()


def _refuse_entity(*_: object) -> None:
    raise SeedError("declares entities, which no sitemap or feed needs")

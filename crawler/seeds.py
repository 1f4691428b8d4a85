"""Where a crawl starts, and what sitemaps, feeds and robots.txt add to that.

Nothing is fetched here. Sitemaps and feeds go through the frontier as pages do, with a note of
what they are, so that they are fetched as politely, tried again and survive a crash.
"""

from __future__ import annotations

import logging
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final
from urllib.parse import urljoin, urlsplit, urlunsplit
from xml.parsers import expat

from protego import Protego
from w3lib.encoding import html_body_declared_encoding, read_bom

from crawler.frontier import Candidate
from crawler.notes import Kind, Note
from crawler.urls import LONGEST
from settings.addresses import host_of
from settings.seed_files import seed_lines, url_lines
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
# Bytes that are unpacked at once; of a piece, what belongs to the next member is copied.
_PIECE: Final = 16_384
# How XML begins in the encodings of two bytes a character, where it has no byte order mark.
_WIDE: Final = {b"<\0": "utf-16-le", b"\0<": "utf-16-be"}
_BLANK: Final = "\ufeff \t\r\n"
_ASCII: Final = bytes(range(0x20, 0x7F))
# Lines of files that are no URL: so many are told one by one.
_MOST_TOLD: Final = 5

_log = logging.getLogger(__name__)


class SeedError(ValueError):
    """A sitemap or feed that cannot be read; the message says why."""


def seeds(table: Seeds) -> Iterator[Candidate]:
    """The candidates that a job starts with."""
    for url in chain(table.urls, (line.text for line in url_lines(table.files))):
        yield Candidate(url)
    for kind, urls in ((Kind.SITEMAP, table.sitemaps), (Kind.FEED, table.feeds)):
        for url in urls:
            yield Candidate(url, priority=LIST_PRIORITY, note=Note(kind).text())
    if table.robots_sitemaps:
        for origin in sorted({_origin(url) for _, _, url in table.all_urls()}):
            note = Note(Kind.ROBOTS).text()
            yield Candidate(f"{origin}/robots.txt", priority=LIST_PRIORITY, note=note)


def seed_hosts(table: Seeds) -> set[str]:
    """The hosts of all seeds. The log is told of the lines in files that are no URL."""
    hosts = {host_of(url) for _, _, url in table.all_urls()}
    wrong = 0
    for line in seed_lines(table.files):
        problem = line.problem()
        if problem is None:
            hosts.add(host_of(line.text))
            continue
        wrong += 1
        if wrong <= _MOST_TOLD:
            _log.warning("%s", problem)
    if wrong > _MOST_TOLD:
        _log.warning("%d more lines of seeds.files are no URL to begin with", wrong - _MOST_TOLD)
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
        rules = Protego.parse(body[:LARGEST].decode("utf-8-sig", "replace"))
        return Listed(sitemaps=_absolute(rules.sitemaps, url))
    text = _decoded(_unpacked(body)).lstrip(_BLANK)
    if kind is Kind.SITEMAP and not text.startswith("<"):
        return Listed(pages=_absolute((line.strip() for line in text.splitlines()), url))
    reader = _Reader()
    reader.read(text)
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
    """Unpack gzip, which sitemaps come in whatever their headers say, and no more than allowed.

    What comes before an error is kept. Raises SeedError if that is nothing.
    """
    if not body.startswith(_GZIP):
        return body
    data, at = bytearray(), 0
    try:
        # A file may have several members, one after the other.
        while body.startswith(_GZIP, at):
            unpack = zlib.decompressobj(_GZIP_WINDOW)
            while not unpack.eof and at < len(body):
                piece = body[at : at + _PIECE]
                data += unpack.decompress(piece, LARGEST + 1 - len(data))
                if len(data) > LARGEST:
                    raise SeedError(f"unpacks to more than {LARGEST:,} bytes")
                at += len(piece) - len(unpack.unused_data)
    except zlib.error as error:
        if not data:
            raise SeedError(f"broken gzip: {error}") from error
    return bytes(data)


def _decoded(data: bytes) -> str:
    """By its byte order mark, how its first character is written, or what it declares."""
    encoding, mark = read_bom(data)
    encoding = encoding or _WIDE.get(data[:2]) or _declared(data)
    return data[len(mark or b"") :].decode(encoding, "replace")


def _declared(data: bytes) -> str:
    """The encoding that it names; UTF-8 if that cannot be the one in which it does.

    Many a file of UTF-8 declares UTF-16, and some of Python's codecs are for no text at all.
    """
    encoding = html_body_declared_encoding(data) or "utf-8"
    try:
        is_for_text = _ASCII.decode(encoding, "replace").encode() == _ASCII
    except (LookupError, UnicodeError):
        is_for_text = False
    return encoding if is_for_text else "utf-8"


class _Reader:
    """Reads sitemaps, sitemap indexes, RSS and Atom as they come, whatever their namespaces.

    expat is told of no entity: a document type that declares some is not read further.
    """

    def __init__(self) -> None:
        self.pages: list[str] = []
        self.sitemaps: list[str] = []
        self._path: list[str] = []
        self._text: list[str] | None = None
        self._length = 0

    def read(self, text: str) -> None:
        """Read a whole document. What comes before an error is kept; SeedError if that is none."""
        parser = expat.ParserCreate("utf-8")  # whatever was declared before it was decoded
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = _refuse_entity
        try:
            parser.Parse(text.encode("utf-8", "replace"), True)
        except expat.ExpatError as error:
            if not self.pages and not self.sitemaps:
                raise SeedError(f"is neither a sitemap nor a feed: {error}") from error

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        tag = _local(name)
        self._path.append(tag)
        if tag in ("loc", "link"):
            self._text, self._length = [], 0
        # Atom: an entry's alternate link is the page; others are comments, editing, enclosures.
        if tag == "link" and "href" in attributes and self._path[-2:-1] == ["entry"]:
            if attributes.get("rel", "alternate") == "alternate":
                self._add(self.pages, attributes["href"])
            self._text = None

    def _characters(self, text: str) -> None:
        if self._text is not None and self._length <= LONGEST:
            self._text.append(text)
            self._length += len(text)

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

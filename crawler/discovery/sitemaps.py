"""Reads what sitemaps, feeds and robots.txt list.

Nothing is fetched here. They go through the frontier like pages, with a note of their kind, so that
politeness, retries and crash recovery apply to them too.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from w3lib.encoding import html_body_declared_encoding, read_bom

from crawler.discovery.sitemap_xml import Entries, SitemapError, SitemapParser
from crawler.frontier.url_meta import Kind
from crawler.politeness.robots_file import sitemaps, text_of

# sitemaps.org: at most 50 MB per file, uncompressed.
LARGEST: Final = 52_428_800
# The protocol does not allow nested indexes, but they exist.
DEEPEST_INDEX: Final = 3
# Sitemaps and feeds go before the pages of their host.
SITEMAP_PRIORITY: Final = 100
_GZIP: Final = b"\x1f\x8b"
_GZIP_WINDOW: Final = 31
# Bytes to decompress at a time; small, because the rest after the end of a member is copied.
_PIECE: Final = 16_384
# How XML in UTF-16 without a byte order mark begins.
_WIDE: Final = {b"<\0": "utf-16-le", b"\0<": "utf-16-be"}
_BLANK: Final = "\ufeff \t\r\n"
# A line of a text sitemap that is a URL, of the web or of the sitemap's host. Servers that lack the
# file send a sentence instead.
_URL_LINE: Final = re.compile(
    r"(?:^|(?<=\r))[^\S\r\n]*+((?:https?://|/)\S++)[^\S\r\n]*+(?=[\r\n]|\Z)",
    re.IGNORECASE | re.MULTILINE,
)
# Where XML begins; warnings of the program that makes it may stand before.
_XML: Final = re.compile(r"<(?:[?]xml|!DOCTYPE|urlset|sitemapindex|rss|feed|rdf:RDF)\b", re.I)
_LONGEST_PREFACE: Final = 1_000
_ASCII: Final = bytes(range(0x20, 0x7F))


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The pages and further sitemaps in a sitemap, feed or robots.txt.

    dates: when some of the pages are said to have changed, as written.
    problem: why some are missing; empty if none are.
    """

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    problem: str = ""
    dates: Mapping[str, str] = field(default_factory=dict)


def read_sitemap(kind: Kind, body: bytes, url: str) -> Sitemap:
    """The content of the sitemap, feed or robots.txt at ``url``. Raises SitemapError."""
    if kind is Kind.ROBOTS:
        named = Entries(url)
        named.add_all(sitemaps(text_of(body)))
        return _listed(Entries(url), named)
    data, problem = _unpacked(body)
    text = _decoded(data).lstrip(_BLANK)
    if xml := _XML.search(text, 0, _LONGEST_PREFACE):
        text = text[xml.start() :]
    if kind is Kind.SITEMAP and not text.startswith("<"):
        return _read_lines(text, url, problem)
    return _read_xml(text, url, problem)


def _read_lines(text: str, url: str, problem: str) -> Sitemap:
    lines = Entries(url)
    lines.add_all(line[1] for line in _URL_LINE.finditer(text))
    if text and not lines.urls:
        raise SitemapError("neither a sitemap nor a feed: no line is a URL")
    return _listed(lines, Entries(url), problem)


def _read_xml(text: str, url: str, problem: str) -> Sitemap:
    document = SitemapParser(url)
    document.read(text)
    found = _listed(document.pages, document.sitemaps, problem or document.problem)
    if document.problem and not (found.pages or found.sitemaps):
        raise SitemapError(f"neither a sitemap nor a feed: {found.problem}")
    return found


def _listed(pages: Entries, named: Entries, problem: str = "") -> Sitemap:
    problem = problem or pages.problem or named.problem
    return Sitemap(pages.urls, named.urls, problem, pages.dates)


def _unpacked(body: bytes) -> tuple[bytes, str]:
    """Decompress a gzip file, up to the size limit; other files are returned as they are.

    Returns the data and a problem, which is empty if there was none. What comes before an error is
    kept. Raises SitemapError if that is nothing.
    """
    if not body.startswith(_GZIP):
        return body, ""
    data, at, is_whole = bytearray(), 0, True
    try:
        # A file may have several members, one after the other.
        while body.startswith(_GZIP, at):
            unpack = zlib.decompressobj(_GZIP_WINDOW)
            while not unpack.eof and at < len(body):
                piece = body[at : at + _PIECE]
                data += unpack.decompress(piece, LARGEST + 1 - len(data))
                if len(data) > LARGEST:
                    return bytes(data[:LARGEST]), f"only the first {LARGEST:,} bytes are used"
                at += len(piece) - len(unpack.unused_data)
            is_whole = unpack.eof
    except zlib.error as error:
        if not data:
            raise SitemapError(f"broken gzip: {error}") from error
        return bytes(data), f"broken gzip: {error}"
    return bytes(data), "" if is_whole else "broken gzip: unexpected end"


def _decoded(data: bytes) -> str:
    """Decoded by byte order mark, by the bytes of the first character, or as declared."""
    encoding, mark = read_bom(data)
    encoding = encoding or _WIDE.get(data[:2]) or _declared(data)
    return data[len(mark or b"") :].decode(encoding, "replace")


def _declared(data: bytes) -> str:
    """The declared encoding; UTF-8 if the declaration itself cannot be in that encoding.

    Many UTF-8 files declare UTF-16, and some of Python's codecs are not for text.
    """
    encoding = html_body_declared_encoding(data) or "utf-8"
    try:
        is_for_text = _ASCII.decode(encoding, "replace").encode() == _ASCII
    except (LookupError, UnicodeError):
        is_for_text = False
    return encoding if is_for_text else "utf-8"

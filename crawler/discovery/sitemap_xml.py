"""Reads sitemaps, sitemap indexes, RSS and Atom, after repairing common errors in their XML.

Unescaped ``&`` in URLs, HTML entities such as ``&nbsp;`` and control characters are common on the
web, but fatal errors in XML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import reduce
from html import escape
from html.entities import html5
from typing import Final
from xml.parsers import expat

from corpus_commons.url_reference import joined
from settings.addresses import LONGEST_URL

# sitemaps.org: at most 50,000 URLs per file.
MOST_ENTRIES: Final = 50_000
_CDATA: Final = b"<![CDATA["
_CDATA_END: Final = b"]]>"
# An ampersand, with its reference if there is one, except XML's five predefined entities.
_AMPERSAND: Final = re.compile(
    rb"&(?!(?:amp|lt|gt|quot|apos);)"
    rb"(?:([A-Za-z][A-Za-z0-9]{1,31}|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});)?"
)
# How many ampersands and CDATA sections are processed: 20 for each entry of the largest sitemap.
# The rest is left unchanged, so that time and growth are bounded.
_MOST_REPAIRS: Final = 1_000_000
_CONTROLS: Final = bytes(set(range(0x20)) - set(b"\t\n\r"))
_NO_CHARACTERS: Final = ("\ufffe".encode(), "\uffff".encode())
# Elements with the date of an entry: of sitemaps, Atom, RSS 2 and RSS 1.
_DATES: Final = frozenset({"lastmod", "updated", "pubdate", "date"})
_WITH_TEXT: Final = frozenset({"loc", "link", "guid"}) | _DATES
_ENTRIES: Final = frozenset({"url", "entry", "item"})
_LONGEST_DATE: Final = 100
# A link and all that it is in may each have an xml:base: three elements of Atom, four of RSS.
_MOST_BASES: Final = 4
# Sitemaps have 4 levels, feeds a few tens with the XHTML of their entries. Each open element takes
# 200 bytes, so a small file that is unpacked would otherwise fill the memory.
_DEEPEST: Final = 1_000


class SitemapError(ValueError):
    """A sitemap or feed that cannot be read; the message says why."""


class Entries:
    """Distinct absolute URLs, in order, of the first MOST_ENTRIES that are written.

    url: of the file that lists them.
    dates: when some of them are said to have changed, as written.
    problem: why some are missing; empty if none are.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._count = 0
        self._found: dict[str, None] = {}
        self.dates: dict[str, str] = {}
        self._last: list[str] = []
        self.problem = ""

    @property
    def urls(self) -> tuple[str, ...]:
        return tuple(self._found)

    def add(self, text: str, bases: Sequence[str] = ()) -> None:
        """Add a URL as written; ``bases`` are the base URLs to resolve it with, outermost first."""
        text = text.strip()
        if not text or len(text) > LONGEST_URL:
            return
        if self._count >= MOST_ENTRIES:
            self.problem = f"only the first {MOST_ENTRIES:,} entries are used"
            return
        self._count += 1
        text = reduce(joined, (*bases, text), self._url)
        self._found[text] = None
        self._last.append(text)

    def date(self, text: str) -> None:
        """Date the URLs that were added since the last call; empty for those without a date."""
        if text:
            self.dates.update(dict.fromkeys(self._last, text))
        self._last.clear()

    def add_all(self, texts: Iterable[str]) -> None:
        """Add URLs, up to the limit."""
        for text in texts:
            if self.problem:
                return
            self.add(text)


def repaired(data: bytes) -> bytes:
    r"""Repaired XML, in UTF-8; takes linear time.

    HTML entities become characters, characters that XML forbids are removed, and other ampersands
    are escaped. CDATA sections are left unchanged.

    >>> repaired(b"<loc>/?a=1&b=2&amp;c&nbsp;&#228;&#11;\x0b</loc><![CDATA[&]]>").decode()
    '<loc>/?a=1&amp;b=2&amp;c\xa0&#228;</loc><![CDATA[&]]>'
    """
    for unwanted in _NO_CHARACTERS:
        data = data.replace(unwanted, b"")
    data = data.translate(None, _CONTROLS)
    done = bytearray()
    at, left = 0, _MOST_REPAIRS
    while at < len(data) and left > 0:
        section = _found(data, _CDATA, at)
        text, ampersands = _AMPERSAND.subn(_escaped, data[at:section], left)
        at = _found(data, _CDATA_END, section)
        done += text
        done += data[section:at]
        left -= ampersands + 1
    return bytes(done + data[at:])


def _found(data: bytes, wanted: bytes, start: int) -> int:
    """The position of ``wanted`` from ``start`` on; the end if it is missing."""
    at = data.find(wanted, start)
    return at if at >= 0 else len(data)


def _escaped(ampersand: re.Match[bytes]) -> bytes:
    name = (ampersand[1] or b"").decode()
    if name.startswith("#"):
        code = int(name[2:], 16) if name[1] == "x" else int(name[1:])
        return ampersand[0] if _is_character(code) else b""
    return escape(html5.get(f"{name};", ampersand[0].decode())).encode()


def _is_character(code: int) -> bool:
    """Whether XML allows the character."""
    return (
        code in (0x9, 0xA, 0xD)
        or 0x20 <= code < 0xD800
        or 0xE000 <= code < 0xFFFE
        or 0x10000 <= code <= 0x10FFFF
    )


class SitemapParser:
    """Reads a sitemap, sitemap index or feed in XML, ignoring namespaces.

    pages, sitemaps: its entries.
    problem: why it was not read to the end; empty if it was.
    """

    def __init__(self, url: str) -> None:
        self.pages = Entries(url)
        self.sitemaps = Entries(url)
        self.problem = ""
        self._path: list[str] = []
        self._bases: list[str] = []
        self._text: list[str] | None = None
        self._length = 0
        self._guid = ""
        self._is_guid_link = self._has_link = False
        self._date = ""

    def read(self, text: str) -> None:
        """Read a whole document; entries before an error are kept. Raises SitemapError."""
        parser = expat.ParserCreate("utf-8")  # overrides the declared encoding
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = _refuse_entity
        try:
            parser.Parse(repaired(text.encode("utf-8", "replace")), True)
        except expat.ExpatError as error:
            self.problem = f"read up to line {error.lineno}: {expat.ErrorString(error.code)}"

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._path) >= _DEEPEST:
            raise SitemapError(f"its elements are nested more than {_DEEPEST:,} deep")
        tag = _local(name)
        self._path.append(tag)
        base = attributes.get("xml:base", "")
        self._bases.append(base if len(base) <= LONGEST_URL else "")
        if tag in _WITH_TEXT:
            self._text, self._length = [], 0
        if tag == "item":
            self._guid, self._has_link = "", False
        elif tag == "guid":
            self._is_guid_link = attributes.get("isPermaLink", "").lower() != "false"
        # Atom: an entry's alternate link is the page; others are comments, editing, enclosures.
        elif tag == "link" and "href" in attributes and self._parent() == "entry":
            if attributes.get("rel", "alternate") == "alternate":
                self.pages.add(attributes["href"], self._bases[-_MOST_BASES:])
            self._text = None

    def _characters(self, text: str) -> None:
        if self._text is not None and self._length <= LONGEST_URL:
            self._text.append(text)
            self._length += len(text)

    def _end(self, name: str) -> None:
        tag = _local(name)
        if tag == "item" and not self._has_link:
            self.pages.add(self._guid)
        elif self._text is not None and tag in _WITH_TEXT:
            text, self._text = "".join(self._text).strip(), None
            self._take(tag, text)
        if tag in _ENTRIES:
            self.pages.date(self._date)
            self._date = ""
        self._path.pop()
        self._bases.pop()

    def _take(self, tag: str, text: str) -> None:
        """Use the text of an element, if it is the URL of an entry."""
        kind = (self._parent(), tag)
        if tag in _DATES and self._parent() in _ENTRIES:
            self._date = text[:_LONGEST_DATE]
        elif kind == ("sitemap", "loc"):
            self.sitemaps.add(text)
        elif kind == ("url", "loc"):
            self.pages.add(text)
        elif kind == ("item", "link"):
            self._has_link = self._has_link or bool(text)
            self.pages.add(text, self._bases[-_MOST_BASES:])
        # RSS: a guid is the page's URL unless isPermaLink is false, which feeds often omit.
        elif kind == ("item", "guid") and self._is_guid_link and text.startswith("http"):
            self._guid = text

    def _parent(self) -> str:
        return self._path[-2] if len(self._path) > 1 else ""


def _local(name: str) -> str:
    return name.rpartition(":")[2].lower()


def _refuse_entity(*_: object) -> None:
    """Entities could expand a small file to a huge one ("billion laughs")."""
    raise SitemapError("entity declarations are not supported")

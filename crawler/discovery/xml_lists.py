"""Reads sitemaps, sitemap indexes, RSS and Atom."""

from __future__ import annotations

from typing import Final
from xml.parsers import expat

from crawler.discovery.listed_urls import Entries, ListError
from crawler.discovery.xml_text import mended
from settings.addresses import LONGEST_URL

_WITH_TEXT: Final = frozenset({"loc", "link", "guid"})
# Atom: a link, its entry and the feed may each have an xml:base.
_MOST_BASES: Final = 3


class XmlList:
    """Reads a list in XML, ignoring namespaces.

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

    def read(self, text: str) -> None:
        """Read a whole document; entries before an error are kept. Raises ListError."""
        parser = expat.ParserCreate("utf-8")  # overrides the declared encoding
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = _refuse_entity
        try:
            parser.Parse(mended(text.encode("utf-8", "replace")), True)
        except expat.ExpatError as error:
            self.problem = f"read up to line {error.lineno}: {expat.ErrorString(error.code)}"

    def _start(self, name: str, attributes: dict[str, str]) -> None:
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
        self._path.pop()
        self._bases.pop()

    def _take(self, tag: str, text: str) -> None:
        """Use the text of an element, if it is the URL of an entry."""
        kind = (self._parent(), tag)
        if kind == ("sitemap", "loc"):
            self.sitemaps.add(text)
        elif kind == ("url", "loc"):
            self.pages.add(text)
        elif kind == ("item", "link"):
            self._has_link = self._has_link or bool(text)
            self.pages.add(text)
        # RSS: a guid is the page's URL unless isPermaLink is false, which feeds often omit.
        elif kind == ("item", "guid") and self._is_guid_link and text.startswith("http"):
            self._guid = text

    def _parent(self) -> str:
        return self._path[-2] if len(self._path) > 1 else ""


def _local(name: str) -> str:
    return name.rpartition(":")[2].lower()


def _refuse_entity(*_: object) -> None:
    """Entities could expand a small file to a huge one ("billion laughs")."""
    raise ListError("entity declarations are not supported")

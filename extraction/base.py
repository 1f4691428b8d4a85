"""The interface of all methods, and two base classes: for methods on our Dom, and for libraries."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import ClassVar, Protocol, runtime_checkable

from corpus_commons.empty_pages import emptiness, no_content
from corpus_commons.kinds import known_kind
from corpus_commons.markup.controls import without_controls
from corpus_commons.markup.dom import BoolArray, Dom, parse, tamed
from corpus_commons.markup.error import MarkupError
from extraction.formats.writing import written
from extraction.output import PLAIN, Output
from extraction.page.blocks import join
from extraction.page.segmentation import Segmentation
from extraction.page.selection import Selection
from extraction.result import Extraction, ExtractionError, Image
from extraction.site_memory import SiteMemory


@contextmanager
def _as_extraction_error() -> Iterator[None]:
    try:
        yield
    except MarkupError as error:
        raise ExtractionError(str(error)) from error


@runtime_checkable
class Extractor(Protocol):
    """Turns a page into its main content. Safe to call from one thread at a time."""

    name: str

    def extract(
        self,
        html: str | bytes | Dom,
        *,
        url: str | None = None,
        genre: str | None = None,
        charset: str | None = None,
        output: Output = PLAIN,
        site: SiteMemory | None = None,
        rendered: bool = False,
    ) -> Extraction:
        """Extract the main content of ``html``.

        html: decoded text, raw bytes, or a parsed page.
        url: the page's URL, to resolve links.
        genre: the kind of page, one of ``kinds.KINDS``; None or ``unsure`` if unknown. Methods made
            for one genre ignore it.
        charset: the encoding from the HTTP header, for bytes; a BOM takes precedence.
        output: the format of the text, and what it includes.
        site: what is known of other pages of the site; for methods that use it.
        rendered: whether a browser has run the page's scripts, so that it is no empty shell.
        Raises ExtractionError if the page cannot be parsed, ValueError for an unknown genre,
        TypeError if ``html`` is of another type.
        """
        ...


class DomExtractor(ABC):
    """A method that chooses nodes of the Dom. Subclass it for methods of our own.

    drops_comments: whether readers' comments are removed from what the method keeps, unless the
        user asks for them. False for methods of the literature, which must stay as published.
    judges_pages: whether the method finds out by itself what kind of page it reads, so that a guess
        need not be passed as ``genre``.
    refuses_empty_pages: whether nothing is kept of shells, walls, errors and the like; likewise.
    """

    name: str
    drops_comments: ClassVar[bool] = False
    judges_pages: ClassVar[bool] = False
    refuses_empty_pages: ClassVar[bool] = False

    def extract(
        self,
        html: str | bytes | Dom,
        *,
        url: str | None = None,
        genre: str | None = None,
        charset: str | None = None,
        output: Output = PLAIN,
        site: SiteMemory | None = None,
        rendered: bool = False,
    ) -> Extraction:
        genre = known_kind(genre)
        with _as_extraction_error():
            dom = parse(html, charset)
        if self.refuses_empty_pages and (empty := emptiness(dom, rendered=rendered)):
            return Extraction("", method=self.name, empty=empty)
        found = self.extract_on_site(dom, site, url=url, genre=genre)
        found = written(found, output, url=url, genre=genre, drops_comments=self.drops_comments)
        return found if found.text else replace(found, empty=no_content(dom, rendered=rendered))

    @abstractmethod
    def extract_dom(self, dom: Dom, *, url: str | None, genre: str | None) -> Extraction:
        """The main content of a parsed page."""

    def extract_on_site(
        self,
        dom: Dom,
        site: SiteMemory | None,
        *,
        url: str | None,
        genre: str | None,
    ) -> Extraction:
        """The main content of a parsed page whose site is known; methods that use it override."""
        return self.extract_dom(dom, url=url, genre=genre)

    def extraction(
        self,
        segmentation: Segmentation,
        kept: BoolArray,
        *,
        probabilities: list[float] | None = None,
        confidence: float | None = None,
        images: tuple[Image, ...] = (),
    ) -> Extraction:
        """The Extraction of the kept text nodes, in plain text; see Segmentation.kept_blocks."""
        selection = Selection(segmentation, kept, probabilities)
        blocks = selection.blocks()
        return Extraction(join(blocks), blocks, self.name, confidence, images, selection=selection)


class LibraryExtractor(ABC):
    """A library behind our interface: all its errors become ExtractionError. Subclass it for peers.

    The library gets the page as it is, except for what would overload a tree builder.
    """

    name: str

    def extract(
        self,
        html: str | bytes | Dom,
        *,
        url: str | None = None,
        genre: str | None = None,
        charset: str | None = None,
        output: Output = PLAIN,
        site: SiteMemory | None = None,
        rendered: bool = False,
    ) -> Extraction:
        known_kind(genre)
        if isinstance(html, Dom):
            raise ExtractionError(f"{self.name} reads HTML, not a parsed page")
        with _as_extraction_error():
            page = tamed(html, charset).decode()
        try:
            (text,) = without_controls([self.text_of(page, url)])
        except Exception as error:
            raise ExtractionError(f"{self.name}: {type(error).__name__}: {error}") from error
        found = written(Extraction(text.strip(), method=self.name), output)
        if found.text:
            return found
        with _as_extraction_error():
            return replace(found, empty=no_content(parse(page), rendered=rendered))

    @abstractmethod
    def text_of(self, html: str, url: str | None) -> str:
        """The library's plain text of a page; empty if it finds no main content."""

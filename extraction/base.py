"""The face that every method shows, and its two foundations: for our Dom, and for libraries."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar, Protocol, runtime_checkable

from extraction.blocks import Segmentation, join
from extraction.kinds import told
from extraction.output import PLAIN, Output
from extraction.result import Extraction, ExtractionError, Image
from extraction.selection import Selection
from extraction.writing import written
from markup.controls import without_controls
from markup.dom import BoolArray, Dom, parse, tamed
from markup.error import MarkupError


@contextmanager
def _beyond_reading() -> Iterator[None]:
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
    ) -> Extraction:
        """Extract the main content of ``html``.

        html: decoded text, raw bytes, or a page that was parsed before.
        url: where the page came from, to resolve links.
        genre: the kind of page, one of ``kinds.KINDS``; None or ``unsure`` where it is not known.
            Methods made for one genre ignore it.
        charset: the encoding of the HTTP header, for bytes; a BOM is stronger.
        output: the format of the text, and what goes into it.
        Raises ExtractionError when the page is beyond reading, ValueError for a genre that there
        is not, TypeError for what is no page.
        """
        ...


class DomExtractor(ABC):
    """A method that chooses nodes of the Dom. Subclass it for methods of our own.

    A page that is parsed already is not parsed again.

    drops_comments: whether readers' comments are taken out that the method kept, unless they are
        asked for. Methods of the literature keep what they keep.
    """

    name: str
    drops_comments: ClassVar[bool] = False

    def extract(
        self,
        html: str | bytes | Dom,
        *,
        url: str | None = None,
        genre: str | None = None,
        charset: str | None = None,
        output: Output = PLAIN,
    ) -> Extraction:
        genre = told(genre)
        with _beyond_reading():
            dom = parse(html, charset)
        found = self.extract_dom(dom, url=url, genre=genre)
        return written(found, output, url=url, genre=genre, drops_comments=self.drops_comments)

    @abstractmethod
    def extract_dom(self, dom: Dom, *, url: str | None, genre: str | None) -> Extraction:
        """The main content of a parsed page."""

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
    """A library under our face. Subclass it for peers: whatever fails becomes ExtractionError.

    The library reads the page as it is; only what no tree builder can bear is taken out.
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
    ) -> Extraction:
        told(genre)
        if isinstance(html, Dom):
            raise ExtractionError(f"{self.name} reads HTML, not a parsed page")
        with _beyond_reading():
            page = tamed(html, charset).decode()
        try:
            (text,) = without_controls([self.text_of(page, url)])
        except Exception as error:
            raise ExtractionError(f"{self.name}: {type(error).__name__}: {error}") from error
        return written(Extraction(text.strip(), method=self.name), output)

    @abstractmethod
    def text_of(self, html: str, url: str | None) -> str:
        """The library's plain text of a page; empty if it finds no main content."""

"""The face that every method shows, and its two foundations: for our Dom, and for libraries."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, runtime_checkable

from extraction.blocks import Segmentation, join
from extraction.result import Extraction, ExtractionError, Image
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
    ) -> Extraction:
        """Extract the main content of ``html``.

        html: decoded text, raw bytes, or a page that was parsed before.
        url: where the page came from, to resolve links.
        genre: the kind of page, where it is known; methods made for one genre ignore it.
        charset: the encoding of the HTTP header, for bytes; a BOM is stronger.
        Raises ExtractionError when the page is beyond reading.
        """
        ...


class DomExtractor(ABC):
    """A method that chooses nodes of the Dom. Subclass it for methods of our own.

    A page that is parsed already is not parsed again.
    """

    name: str

    def extract(
        self,
        html: str | bytes | Dom,
        *,
        url: str | None = None,
        genre: str | None = None,
        charset: str | None = None,
    ) -> Extraction:
        with _beyond_reading():
            dom = parse(html, charset)
        return self.extract_dom(dom, url=url, genre=genre)

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
        """The Extraction of the kept text nodes; see Segmentation.kept_blocks."""
        blocks = segmentation.kept_blocks(kept, probabilities)
        return Extraction(join(blocks), blocks, self.name, confidence, images)


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
    ) -> Extraction:
        if isinstance(html, Dom):
            raise ExtractionError(f"{self.name} reads HTML, not a parsed page")
        with _beyond_reading():
            page = tamed(html, charset).decode()
        try:
            text = self.text_of(page, url)
        except Exception as error:
            raise ExtractionError(f"{self.name}: {type(error).__name__}: {error}") from error
        return Extraction(text.strip(), method=self.name)

    @abstractmethod
    def text_of(self, html: str, url: str | None) -> str:
        """The library's plain text of a page; empty if it finds no main content."""

"""What methods are made of: two base classes, for methods on our Dom, and for libraries."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Final, NamedTuple

from corpus_commons.empty_pages import emptiness, no_content
from corpus_commons.kinds import known_kind
from corpus_commons.markup.batches import in_batches
from corpus_commons.markup.controls import without_controls
from corpus_commons.markup.dom import Dom, parse, tamed
from corpus_commons.markup.error import MarkupError
from corpus_commons.markup.tree import BoolArray
from extraction.formats.writing import written
from extraction.output import PLAIN, Output
from extraction.page.blocks import join
from extraction.page.images import Image
from extraction.page.segmentation import Segmentation
from extraction.page.selection import Selection
from extraction.page_marks import PageMarks
from extraction.result import Extraction, ExtractionError
from extraction.site_memory import SiteMemory
from extraction.source import Page

# Of the values of a page, but for those that are checked where they are used.
_TYPES: Final[Mapping[str, type]] = {
    "url": str,
    "charset": str,
    "site": SiteMemory,
    "page_type_scores": Mapping,
}


class Method(ABC):
    """A method that reads pages in batches. Subclass one of the classes below."""

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
        (found,) = self.extract_many([Page(html, url, genre, charset, site, rendered)], output)
        if isinstance(found, ExtractionError):
            raise found
        return found

    def extract_many(
        self, pages: Iterable[Page], output: Output = PLAIN
    ) -> list[Extraction | ExtractionError]:
        """See ``Extractor``."""
        if not isinstance(output, Output):
            raise TypeError(f"output is {type(output).__name__}; it must be an extraction.Output")
        return self._read(map(_checked, pages), output)

    @abstractmethod
    def _read(self, pages: Iterator[Page], output: Output) -> list[Extraction | ExtractionError]:
        """The same, of pages whose values but ``html`` are of the right types."""


class DomExtractor(Method):
    """A method that chooses nodes of the Dom. Subclass it for methods of our own.

    drops_comments: whether readers' comments are removed from what the method keeps, unless the
        user asks for them. False for methods of the literature, which must stay as published.
    judges_pages: whether the method finds out by itself what kind of page it reads, so that a guess
        need not be passed as ``genre``.
    refuses_empty_pages: whether nothing is kept of shells, walls, errors and the like; likewise.
    uses_sites: whether the method uses the memory of a page's site.
    """

    drops_comments: ClassVar[bool] = False
    judges_pages: ClassVar[bool] = False
    refuses_empty_pages: ClassVar[bool] = False
    uses_sites: ClassVar[bool] = False

    def _read(self, pages: Iterator[Page], output: Output) -> list[Extraction | ExtractionError]:
        found: list[Extraction | ExtractionError] = []
        for batch in in_batches(map(_parsed, pages), _nodes):
            found += self._extract_batch(batch, output)
        return found

    def _extract_batch(
        self, batch: Sequence[Parsed | ExtractionError], output: Output
    ) -> Iterator[Extraction | ExtractionError]:
        refused = [self._refused(page) for page in batch]
        to_read = [
            page
            for page, answer in zip(batch, refused, strict=True)
            if answer is None and isinstance(page, Parsed)
        ]
        read = zip(to_read, self.extract_doms(to_read), strict=True)
        for answer in refused:
            yield answer if answer is not None else self._written(*next(read), output)

    def _refused(self, page: Parsed | ExtractionError) -> Extraction | ExtractionError | None:
        """The answer for a page that is not read; None for one that is."""
        if isinstance(page, ExtractionError):
            return page
        if self.refuses_empty_pages and (empty := emptiness(page.dom, rendered=page.rendered)):
            return Extraction("", method=self.name, empty=empty)
        return None

    def _written(self, page: Parsed, found: Extraction, output: Output) -> Extraction:
        found = written(
            found, output, url=page.url, genre=page.genre, drops_comments=self.drops_comments
        )
        if found.text:
            return found
        return replace(found, empty=no_content(page.dom, rendered=page.rendered))

    def extract_doms(self, pages: Sequence[Parsed]) -> Iterable[Extraction]:
        """The main content of parsed pages; methods that read several at once override this."""
        return (self.extract_dom(page.dom, url=page.url, genre=page.genre) for page in pages)

    def marks(self, pages: Sequence[Parsed]) -> list[PageMarks | None]:
        """What a memory of its site keeps of each page; None if it is empty, and for methods that
        do not use one.
        """
        return [None] * len(pages)

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


class LibraryExtractor(Method):
    """A library behind our interface: all its errors become ExtractionError. Subclass it for peers.

    The library gets the page as it is, except for what would overload a tree builder.
    """

    def _read(self, pages: Iterator[Page], output: Output) -> list[Extraction | ExtractionError]:
        return [self._extract(page, output) for page in pages]

    def _extract(self, page: Page, output: Output) -> Extraction | ExtractionError:
        if isinstance(page.html, Dom):
            return ExtractionError(f"{self.name} reads HTML, not a parsed page")
        try:
            html = tamed(page.html, page.charset).decode()
            (text,) = without_controls([self._text(html, page.url)])
            found = written(Extraction(text.strip(), method=self.name), output)
            if found.text:
                return found
            return replace(found, empty=no_content(parse(html), rendered=page.rendered))
        except MarkupError as error:
            return _failure(error)
        except ExtractionError as error:
            return error

    def _text(self, html: str, url: str | None) -> str:
        try:
            return self.text_of(html, url)
        except Exception as error:
            raise ExtractionError(f"{self.name}: {type(error).__name__}: {error}") from error

    @abstractmethod
    def text_of(self, html: str, url: str | None) -> str:
        """The library's plain text of a page; empty if it finds no main content."""


class Parsed(NamedTuple):
    """A parsed page, and what is known about it; see ``Page``."""

    dom: Dom
    url: str | None
    genre: str | None
    site: SiteMemory | None = None
    rendered: bool = False
    page_type_scores: Mapping[str, float] | None = None


def _nodes(page: Parsed | ExtractionError) -> int:
    return len(page.dom) if isinstance(page, Parsed) else 0


def _checked(page: Page) -> Page:
    """The page, with None for an ``unsure`` genre. Raises TypeError, ValueError."""
    if not isinstance(page, Page):
        raise TypeError(f"a page is {type(page).__name__}; it must be an extraction.Page")
    for name, type_ in _TYPES.items():
        value = getattr(page, name)
        if value is not None and not isinstance(value, type_):
            raise TypeError(
                f"{name} is {type(value).__name__}; it must be {type_.__name__} or None"
            )
    return page._replace(genre=known_kind(page.genre))


def _parsed(page: Page) -> Parsed | ExtractionError:
    try:
        dom = parse(page.html, page.charset)
    except MarkupError as error:
        return _failure(error)
    return Parsed(dom, page.url, page.genre, page.site, page.rendered, page.page_type_scores)


def _failure(cause: MarkupError) -> ExtractionError:
    error = ExtractionError(str(cause))
    error.__cause__ = cause
    return error

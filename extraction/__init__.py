"""HTML in, main content out: the methods of the literature behind one interface.

>>> from extraction import extract
>>> extract("<body><p>Hello, world.</p></body>", method="all-text").text
'Hello, world.'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from corpus_commons.empty_pages import Emptiness, Reason
from corpus_commons.markup.dom import Dom, parse
from extraction.interface import Extractor
from extraction.output import Comments, Format, Output
from extraction.page.blocks import Block, BlockKind
from extraction.page.images import Image
from extraction.page_marks import PageMarks, SiteMemoryError
from extraction.registry import extractor, names
from extraction.result import Extraction, ExtractionError
from extraction.site_memory import SiteMemory
from extraction.source import Page

__all__ = [
    "Block",
    "BlockKind",
    "Comments",
    "Dom",
    "Emptiness",
    "Extraction",
    "ExtractionError",
    "Extractor",
    "Format",
    "Image",
    "Output",
    "Page",
    "PageMarks",
    "Reason",
    "SiteMemory",
    "SiteMemoryError",
    "extract",
    "extract_many",
    "extractor",
    "names",
    "parse",
]


def extract(
    html: str | bytes | Dom,
    *,
    url: str | None = None,
    genre: str | None = None,
    charset: str | None = None,
    method: str = "default",
    format: Format = "text",  # noqa: A002 - the name that other extractors use
    links: bool = False,
    images: bool = False,
    comments: Comments = "drop",
    site: SiteMemory | None = None,
    rendered: bool = False,
) -> Extraction:
    """Extract the main content with the named method; see ``Extractor.extract`` and ``Output``.

    genre: ``article`` or ``list-view``, or the page type: ``article``, ``documentation``,
        ``product``, ``service``, ``forum``, ``collection``, ``listing``, ``media`` or ``other``;
        None or ``unsure`` (as ``genre_model predict`` writes it) if unknown.
    site: what is known of other pages of the site. With one, even an empty one, the result has the
        page's ``marks``, for ``SiteMemory.add``, unless it is empty.
    rendered: whether a browser has run the page's scripts, so that it is no empty shell.

    Raises ValueError for an unknown method, genre or output option, TypeError for a value of
    another type, ExtractionError for a page that cannot be parsed.
    """
    output = Output(format, links, images, comments)
    return extractor(method).extract(
        html, url=url, genre=genre, charset=charset, output=output, site=site, rendered=rendered
    )


def extract_many(
    pages: Iterable[Page | str | bytes | Dom],
    *,
    method: str = "default",
    format: Format = "text",  # noqa: A002 - the name that other extractors use
    links: bool = False,
    images: bool = False,
    comments: Comments = "drop",
) -> list[Extraction | ExtractionError]:
    """Extract the main content of several pages, in less time than one by one.

    Returns one result per page, in their order. That of a page that cannot be parsed is an
    ExtractionError, which is not raised. Raises ValueError and TypeError as ``extract`` does, and
    TypeError for what is no list of pages.

    >>> found = extract_many(["<p>One.", Page("<p>Two.", genre="article")], method="all-text")
    >>> " ".join(page.text for page in found)
    'One. Two.'
    """
    if isinstance(pages, str | bytes | bytearray | Page | Mapping) or not isinstance(
        pages, Iterable
    ):
        raise TypeError(f"pages is {type(pages).__name__}; it must be a list of pages")
    output = Output(format, links, images, comments)
    every = (page if isinstance(page, Page) else Page(page) for page in pages)
    return extractor(method).extract_many(every, output)

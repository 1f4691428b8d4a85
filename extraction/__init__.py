"""HTML in, main content out: the methods of the literature behind one face.

>>> from extraction import extract
>>> extract("<body><p>Hello, world.</p></body>", method="all-text").text
'Hello, world.'
"""

from __future__ import annotations

from extraction.base import Extractor
from extraction.output import Comments, Format, Output
from extraction.registry import extractor, names
from extraction.result import Block, BlockKind, Extraction, ExtractionError, Image
from markup.dom import Dom, parse

__all__ = [
    "Block",
    "BlockKind",
    "Comments",
    "Dom",
    "Extraction",
    "ExtractionError",
    "Extractor",
    "Format",
    "Image",
    "Output",
    "extract",
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
    format: Format = "text",  # noqa: A002 - what users of other extractors call it
    links: bool = False,
    images: bool = False,
    comments: Comments = "drop",
) -> Extraction:
    """The main content of a page by the named method; see ``Extractor.extract`` and ``Output``.

    genre: ``article`` or ``list-view``, or the page type: ``article``, ``documentation``,
        ``product``, ``service``, ``forum``, ``collection``, ``listing``, ``media`` or ``other``;
        None or ``unsure``, as ``genre_model predict`` writes it, where it is not known.
    Raises ValueError for a method, a genre or an output that there is not, ExtractionError for a
    page beyond reading.
    """
    output = Output(format, links, images, comments)
    return extractor(method).extract(html, url=url, genre=genre, charset=charset, output=output)

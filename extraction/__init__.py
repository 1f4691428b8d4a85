"""HTML in, main content out: the methods of the literature behind one face.

>>> from extraction import extract
>>> extract("<body><p>Hello, world.</p></body>", method="all-text").text
'Hello, world.'
"""

from __future__ import annotations

from extraction.base import Extractor
from extraction.registry import extractor, names
from extraction.result import Block, BlockKind, Extraction, ExtractionError, Image
from markup.dom import Dom, parse

__all__ = [
    "Block",
    "BlockKind",
    "Dom",
    "Extraction",
    "ExtractionError",
    "Extractor",
    "Image",
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
) -> Extraction:
    """The main content of a page by the named method; see ``Extractor.extract``."""
    return extractor(method).extract(html, url=url, genre=genre, charset=charset)

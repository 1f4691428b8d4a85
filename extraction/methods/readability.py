"""readability-lxml, the Python port of arc90's Readability.

https://github.com/buriy/python-readability
"""

from __future__ import annotations

import logging

import readability

from extraction.base import LibraryExtractor
from extraction.blocks import join, segment
from markup.dom import parse

# The library logs a page that it cannot read with a traceback, besides raising.
logging.getLogger("readability").addHandler(logging.NullHandler())


class Readability(LibraryExtractor):
    """The text of ``Document(html).summary()``, which is HTML, written as we write text."""

    name = "readability"

    def text_of(self, html: str, url: str | None) -> str:
        summary = parse(readability.Document(html, url=url).summary())
        # What the library keeps is kept, also where its markup hides it.
        segmentation = segment(summary, summary.is_text)
        return join(segmentation.kept_blocks(segmentation.block_of >= 0))

"""readability-lxml, the Python port of arc90's Readability.

https://github.com/buriy/python-readability
"""

from __future__ import annotations

import logging

import readability

from corpus_commons.markup.dom import parse
from extraction.methods.base import LibraryExtractor
from extraction.page.blocks import join
from extraction.page.segmentation import segment

# For a page that it cannot parse, the library logs a traceback, besides raising.
logging.getLogger("readability").addHandler(logging.NullHandler())


class Readability(LibraryExtractor):
    """The text of the HTML that ``Document(html).summary()`` returns, written by our rules."""

    name = "readability"

    def text_of(self, html: str, url: str | None) -> str:
        summary = parse(readability.Document(html, url=url).summary())
        # Everything that the library keeps is kept, even if its markup hides it.
        segmentation = segment(summary, summary.is_text)
        return join(segmentation.kept_blocks(segmentation.block_of >= 0))

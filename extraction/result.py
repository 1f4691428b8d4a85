"""The result of every extraction method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from corpus_commons.empty_pages import Emptiness
from extraction.page.blocks import Block
from extraction.page.images import Image
from extraction.page.selection import Selection
from extraction.page_marks import PageMarks


class ExtractionError(ValueError):
    """The page cannot be parsed; the message tells the user why."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """The main content of one page.

    text: paragraphs separated by blank lines; headings, list items and table rows on their own
        lines; table cells separated by tabs. Or Markdown or HTML, if requested. Empty if the page
        has no main content.
    blocks: the kept blocks in reading order; empty for libraries that return only text.
    method: the name of the method, as in the registry.
    confidence: the method's own estimate of the text's quality, in [0, 1]; None if it has none.
    images: the kept images in reading order. If images were requested, those that were written;
        otherwise empty for methods that only classify text.
    comments: readers' comments, in the same format as ``text``; empty unless requested separately.
    empty: why there is no text; None if there is some.
    page_type_scores, genre_scores: a probability for every page type or genre; empty for methods
        that do not predict them.
    marks: the page's entry in a site's memory, and site_pages: how many other pages of the site
        were known; None if no memory was passed, the method does not use one, or the page is empty.
    selection: the kept nodes of the tree, for the format writers; afterwards None, unless it was
        asked for. Libraries do not give it, nor is there one of an empty page.
    """

    text: str
    blocks: tuple[Block, ...] = ()
    method: str = ""
    confidence: float | None = None
    images: tuple[Image, ...] = ()
    comments: str = ""
    empty: Emptiness | None = None
    page_type_scores: Mapping[str, float] = field(default_factory=dict)
    genre_scores: Mapping[str, float] = field(default_factory=dict)
    marks: PageMarks | None = field(default=None, repr=False, compare=False)
    site_pages: int | None = None
    selection: Selection | None = field(default=None, repr=False, compare=False)

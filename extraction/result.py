"""What comes out of every extraction method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from extraction.selection import Selection

BlockKind = Literal["heading", "paragraph", "list-item", "table-row", "code"]


class ExtractionError(ValueError):
    """The page cannot be read at all; the message says why, in words for the user."""


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of text that was kept, in reading order.

    text: the block's text, white space collapsed (not in ``code``), ``<br>`` as a newline.
    kind: its role on the page.
    probability: that it is main content, in [0, 1]; None where the method only says yes or no.
    comment: whether it lies among readers' comments; told only where these are kept.
    """

    text: str
    kind: BlockKind = "paragraph"
    probability: float | None = None
    comment: bool = False


@dataclass(frozen=True, slots=True)
class Image:
    """An image that was kept.

    url: as written in ``src`` (or ``data-src``), resolved against the page's URL where known.
    alt: the alternative text, perhaps empty.
    width, height: as declared on the element, in CSS pixels; None where not declared.
    probability: that the image belongs to the main content, in [0, 1].
    """

    url: str
    alt: str = ""
    width: int | None = None
    height: int | None = None
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Extraction:
    """The main content of one page.

    text: paragraphs separated by blank lines; headings, list items and table rows on their own
        lines; table cells separated by tabs. Or Markdown or HTML, where that was asked for. Empty
        when the page has no main content.
    blocks: the kept blocks in reading order; empty for libraries that give text alone.
    method: the registry's name of the method that made it.
    confidence: the method's own estimate, in [0, 1], that the text is right; None if it has none.
    images: the kept images in reading order; those that were written where images were asked
        for, otherwise empty for methods that judge text alone.
    comments: readers' comments, written as ``text`` is; empty unless they were asked for apart.
    page_type_scores, genre_scores: a probability for every page type or genre, by its name; empty
        for methods that judge text alone.
    selection: what the method kept of the tree, for those who write it; None afterwards.
    """

    text: str
    blocks: tuple[Block, ...] = ()
    method: str = ""
    confidence: float | None = None
    images: tuple[Image, ...] = ()
    comments: str = ""
    page_type_scores: Mapping[str, float] = field(default_factory=dict)
    genre_scores: Mapping[str, float] = field(default_factory=dict)
    selection: Selection | None = field(default=None, repr=False, compare=False)

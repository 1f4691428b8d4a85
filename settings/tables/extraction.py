"""``[extraction]``: how the main content is written."""

from __future__ import annotations

from collections.abc import Iterator

from settings.values import Finding, Table
from settings.vocabulary import Comments, Format


class Extraction(Table):
    """How the main content of a page is written; the methods are chosen in
    `[genres.extractors]`.
    """

    format: Format = "text"
    """How the text of documents is written: plain `text`, GitHub-flavoured `markdown` (headings,
    lists, tables, fenced code), or `html` (a fragment of few elements, safe to display)."""
    links: bool = False
    """Write where links lead, as absolute URLs; for Markdown and HTML only."""
    images: bool = False
    """Write the images among the kept text, as absolute URLs; for Markdown and HTML only."""
    comments: Comments = "drop"
    """Readers' comments under an article: `drop` them, `keep` them in the text, or put them into
    `metadata.comments` (`separate`). The posts of a forum always count as its text."""
    site_memory: bool = True
    """Read each page with what other pages of its host have in common with it, such as menus that
    no page gives away alone. The first 20 pages of a host wait for each other, at most until the
    crawl ends; for methods that use it (`boosted-blocks`)."""

    def contradictions(self) -> Iterator[Finding]:
        for name, is_on in (("links", self.links), ("images", self.images)):
            if is_on and self.format == "text":
                yield (
                    (name,),
                    f"is true, but plain text cannot show {name}; "
                    'choose the format "markdown" or "html"',
                )

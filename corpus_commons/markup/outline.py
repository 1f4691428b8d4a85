"""The outline of a page, for what needs few of its elements, and nothing of its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from selectolax.lexbor import LexborHTMLParser

from corpus_commons.markup.dom import tamed


class Outline:
    """The elements of a page that are asked for; takes half as long as a Dom.

    Raises MarkupError, as ``parse`` does.
    """

    def __init__(self, html: str) -> None:
        self._tree = LexborHTMLParser(tamed(html))

    def attributes_of(self, tag: str) -> Iterator[Mapping[str, str | None]]:
        """As ``Dom.attributes_of``."""
        return (element.attributes for element in self._tree.css(tag))

"""The HTML of a page, as it was served or as a browser rendered it."""

from __future__ import annotations

from dataclasses import dataclass

from corpus_commons.markup.encoding import Decoded, decoded
from corpus_commons.markup.xhtml import with_end_tags


@dataclass(frozen=True, slots=True)
class Html:
    """HTML, and what it takes to read it.

    content: bytes as served, or text serialised by a browser.
    charset: of the Content-Type header; used for bytes only.
    is_xhtml: whether the bytes were served as XML, so that any element may be self-closing.
    is_rendered: whether a browser has run the page's scripts.
    """

    content: bytes | str
    charset: str | None = None
    is_xhtml: bool = False
    is_rendered: bool = False

    def for_parsers(self) -> bytes | str:
        """The content as an HTML parser understands it."""
        if self.is_xhtml and isinstance(self.content, bytes):
            return with_end_tags(self.content)
        return self.content

    def decoded(self) -> Decoded:
        """The text for parsers, and its encoding."""
        return decoded(self.for_parsers(), self.charset)

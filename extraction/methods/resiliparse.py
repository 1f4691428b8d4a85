"""Resiliparse's main content extraction: rules over the lexbor tree.

J. Bevendorff, B. Stein, M. Hagen, M. Potthast: Elastic ChatNoir: search engine for the ClueWeb
and the Common Crawl. ECIR 2018. https://resiliparse.chatnoir.eu/
"""

from __future__ import annotations

from resiliparse.extract.html2text import extract_plain_text

from extraction.methods.base import LibraryExtractor


class Resiliparse(LibraryExtractor):
    """``extract_plain_text(html, main_content=True)``, with all other options at their defaults."""

    name = "resiliparse"

    def text_of(self, html: str, url: str | None) -> str:
        text: str = extract_plain_text(html, main_content=True)
        return text

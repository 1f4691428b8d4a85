"""Resiliparse's main content extraction, a set of rules over the lexbor tree.

J. Bevendorff, B. Stein, M. Hagen, M. Potthast: Elastic ChatNoir: search engine for the ClueWeb
and the Common Crawl. ECIR 2018. https://resiliparse.chatnoir.eu/
"""

from __future__ import annotations

from resiliparse.extract.html2text import extract_plain_text

from extraction.base import LibraryExtractor


class Resiliparse(LibraryExtractor):
    """``extract_plain_text(html, main_content=True)``, all else as it is by default."""

    name = "resiliparse"

    def text_of(self, html: str, url: str | None) -> str:
        text: str = extract_plain_text(html, main_content=True)
        return text

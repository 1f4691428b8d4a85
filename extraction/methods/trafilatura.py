"""trafilatura, as its documentation calls it from Python: ``trafilatura.extract(html)``.

A. Barbaresi: Trafilatura: a web scraping library and command-line tool for text discovery and
extraction. ACL-IJCNLP 2021, system demonstrations. https://trafilatura.readthedocs.io/
"""

from __future__ import annotations

import trafilatura

from extraction.methods.base import LibraryExtractor


class Trafilatura(LibraryExtractor):
    """One of the library's three precision settings; comments and tables are kept, its default."""

    def __init__(
        self, name: str, *, favor_precision: bool = False, favor_recall: bool = False
    ) -> None:
        self.name = name
        self._favor_precision = favor_precision
        self._favor_recall = favor_recall

    def text_of(self, html: str, url: str | None) -> str:
        text = trafilatura.extract(
            html,
            url=url,
            favor_precision=self._favor_precision,
            favor_recall=self._favor_recall,
        )
        return text or ""


def default() -> Trafilatura:
    return Trafilatura("trafilatura")


def precision() -> Trafilatura:
    return Trafilatura("trafilatura-precision", favor_precision=True)


def recall() -> Trafilatura:
    return Trafilatura("trafilatura-recall", favor_recall=True)

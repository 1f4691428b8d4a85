"""rs-trafilatura, a port of trafilatura to Rust that first tells the type of the page.

Compare with it by ``python -m evaluation extraction --methods benchmarks.rs_trafilatura:peer,…``,
which runs methods in a process of their own. It is not one of the methods of ``extraction``, which
survive any page: ``<td colspan=9007199254740991>`` aborts the process that rs-trafilatura runs in.

M. Foley: WCXB: A Multi-Type Web Content Extraction Benchmark, arXiv 2605.21097.
https://pypi.org/project/rs-trafilatura/
"""

from __future__ import annotations

from types import ModuleType

from extraction.methods.base import LibraryExtractor


class RsTrafilatura(LibraryExtractor):
    """``extract(html, url=url)``, all else at its defaults: tables are kept, comments are not."""

    name = "rs-trafilatura"

    def __init__(self, library: ModuleType) -> None:
        self._library = library

    def text_of(self, html: str, url: str | None) -> str:
        text: str = self._library.extract(html, url=url).main_content
        return text


def peer() -> RsTrafilatura:
    """Raises ImportError if the library is not installed."""
    import rs_trafilatura  # noqa: PLC0415 - only released for Python 3.12

    return RsTrafilatura(rs_trafilatura)

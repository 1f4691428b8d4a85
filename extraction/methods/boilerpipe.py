"""Boilerpipe's extractors, through its Python port boilerpy3.

C. Kohlschütter, P. Fankhauser, W. Nejdl: Boilerplate detection using shallow text features.
WSDM 2010. https://github.com/jmriebold/BoilerPy3
"""

from __future__ import annotations

import logging

from boilerpy3 import extractors
from boilerpy3.exceptions import HTMLExtractionError

from extraction.methods.base import LibraryExtractor

# For a page that it cannot parse, the port logs a traceback, besides raising.
logging.getLogger("boilerpy3").addHandler(logging.NullHandler())


class Boilerpipe(LibraryExtractor):
    """One of the port's extractors. A page that it cannot parse is an error, not an empty text."""

    def __init__(self, name: str, extractor: type[extractors.Extractor]) -> None:
        self.name = name
        self._extractor = extractor(raise_on_failure=True)

    def text_of(self, html: str, url: str | None) -> str:
        try:
            text: str = self._extractor.get_content(html)
        except HTMLExtractionError as error:
            # The port's own has no message.
            cause = error.__cause__
            raise HTMLExtractionError(f"it cannot parse the page: {cause!r}") from cause
        return text


def article() -> Boilerpipe:
    """Tuned to news articles."""
    return Boilerpipe("boilerpipe-article", extractors.ArticleExtractor)


def default() -> Boilerpipe:
    """Text density and link density of a block and its neighbours, for any kind of page."""
    return Boilerpipe("boilerpipe-default", extractors.DefaultExtractor)


def canola() -> Boilerpipe:
    """Trained on the Canola corpus of krdwrd."""
    return Boilerpipe("boilerpipe-canola", extractors.CanolaExtractor)

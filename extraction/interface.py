"""The interface of all methods."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from corpus_commons.markup.dom import Dom
from extraction.output import PLAIN, Output
from extraction.result import Extraction, ExtractionError
from extraction.site_memory import SiteMemory
from extraction.source import Page


@runtime_checkable
class Extractor(Protocol):
    """Turns pages into their main content.

    Threads may share the default method; call any other from one thread at a time.
    """

    name: str

    def extract(
        self,
        html: str | bytes | Dom,
        *,
        url: str | None = None,
        genre: str | None = None,
        charset: str | None = None,
        output: Output = PLAIN,
        site: SiteMemory | None = None,
        rendered: bool = False,
    ) -> Extraction:
        """Extract the main content of ``html``; see ``Page`` for the arguments.

        output: the format of the text, and what it includes.
        Raises ExtractionError if the page cannot be parsed, ValueError for an unknown genre,
        TypeError for a value of another type.
        """
        ...

    def extract_many(
        self, pages: Iterable[Page], output: Output = PLAIN
    ) -> list[Extraction | ExtractionError]:
        """The same of several pages, which takes less time than one by one.

        A page that cannot be parsed has an ExtractionError in place of its content.
        Raises ValueError and TypeError as ``extract`` does.
        """
        ...

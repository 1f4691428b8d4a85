"""Reads of a page only what a memory of its site keeps of it; nothing is written."""

from __future__ import annotations

from collections.abc import Sequence

from corpus_commons.markup import MarkupError, parse
from extraction.methods.base import DomExtractor, Parsed
from extraction.registry import extractor
from pipelines.reading.content import Content
from pipelines.reading.page_reader import PageRejectedError, ParsedPage, Task, unreadable
from settings.tables.extraction import Extraction
from settings.tables.genres import Genres


class MarksReader:
    """A reader for ``WorkerPool`` whose contents have no text, but ``marks``.

    They are those of the first of the job's methods that uses the memory of sites; the format of
    texts changes none.
    """

    def __init__(self, genres: Genres, _: Extraction) -> None:
        self._methods = genres.extractors.methods()
        self._method: DomExtractor | None = None

    def warm(self) -> None:
        """Load the method. Raises ValueError or ImportError if it cannot be loaded."""
        methods = map(extractor, self._methods)
        self._method = next(
            (one for one in methods if isinstance(one, DomExtractor) and one.uses_sites), None
        )

    def parse(self, task: Task) -> ParsedPage[Task]:
        """Raises PageRejectedError."""
        try:
            return ParsedPage(task, parse(task.html.decoded().text))
        except MarkupError as error:
            raise PageRejectedError(unreadable(error)) from error

    def content(self, page: ParsedPage[Task]) -> Content:
        """The marks of one page."""
        (found,) = self.contents([page])
        return found

    def contents(self, pages: Sequence[ParsedPage[Task]]) -> list[Content]:
        """The marks of several pages; None for empty ones."""
        if self._method is None:
            return [Content(text="", extractor="") for _ in pages]
        name = self._method.name
        parsed = [
            Parsed(page.dom, page.task.url, None, rendered=page.task.html.is_rendered)
            for page in pages
        ]
        return [
            Content(text="", extractor=name, marks=marks) for marks in self._method.marks(parsed)
        ]

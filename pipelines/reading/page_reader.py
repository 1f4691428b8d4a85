"""Reads a page in one parse: its genre and page type, main content, metadata and language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import lru_cache
from typing import Final, Generic, NamedTuple, Self, TypeVar, overload

from corpus_commons.markup import Dom, MarkupError, parse
from corpus_commons.markup.forest import forest_of
from crawler.discovery.page_scan import PageScan, ScanTask
from crawler.html import Html
from crawler.items import Page
from crawler.outcomes import UNREADABLE, Rejection
from extraction.interface import Extractor
from extraction.methods.base import DomExtractor
from extraction.output import Output
from extraction.page.blocks import join
from extraction.registry import extractor
from extraction.result import Extraction, ExtractionError
from extraction.site_memory import SiteMemory
from extraction.source import Page as Source
from genre_model.html.classifier import HtmlClassifier
from genre_model.prediction import Prediction
from genre_model.stacking import Stacking
from pipelines.metadata import identify_language, page_metadata
from pipelines.reading.content import Content, ContentTask, Reading
from pipelines.reading.kinds import Kinds
from pipelines.reading.page_blocks import PageBlocks
from settings.tables.extraction import Extraction as ExtractionTable
from settings.tables.genres import Genres

_WARM_PAGE = "<!doctype html><title>A title</title><main><h1>A heading</h1>" + (
    "<p>A paragraph of plain words, long enough to be taken for the content of a page.</p>" * 5
)
_LONGEST_DETAIL: Final = 500
_CONTENT: Final = tuple(item.name for item in fields(Content))
# Parsed memories of the latest sites; with their index, most have less than 300 kB.
_SITES_KEPT: Final = 64
# A key of the job's table that is no option of the output.
_SITE_MEMORY: Final = "site_memory"


@dataclass(frozen=True, slots=True)
class PageTask:
    """A page to be read by a worker process.

    fetched_at: timezone-aware; later publication dates are ignored.
    screenshot: the screenshot network's prediction, if there is one.
    genre: set by the user instead of predicted; the classifiers' scores are kept.
    method: an extraction method that overrides the job's choice.
    site: the memory of the page's site, as bytes; None if it is not known yet.
    scan: how to scan the page for the crawl; None if that is not needed.
    rejection: why the page is already known not to become a document; then it is only scanned.
    """

    html: Html
    url: str
    fetched_at: datetime
    screenshot: Prediction | None = None
    genre: str | None = None
    method: str | None = None
    site: bytes | None = None
    scan: ScanTask | None = None
    rejection: Rejection | None = None

    @classmethod
    def of(cls, page: Page) -> Self:
        return cls(page.best_html, page.url, page.fetched_at)


Task = PageTask | ContentTask
Given = TypeVar("Given", bound=Task)
Given_co = TypeVar("Given_co", bound=Task, covariant=True)


@dataclass(frozen=True, slots=True)
class ParsedPage(Generic[Given_co]):
    """A page that is ready to be read.

    scan: as the task asks for it.
    rejection: why the content is not read; None if it is.
    """

    task: Given_co
    dom: Dom
    scan: PageScan | None = None
    rejection: Rejection | None = None


class PageRejectedError(ValueError):
    """The page does not become a document; ``rejection`` says why."""

    def __init__(self, rejection: Rejection) -> None:
        super().__init__(rejection.detail)
        self.rejection = rejection


class _Told(NamedTuple):
    """How a page is extracted, and its kind by its HTML if that was asked for."""

    asked: ContentTask
    by_html: Prediction | None = None


class PageReader:
    """Reads pages with a job's methods. Models are loaded at the first use, or by ``warm``.

    genres: the job's thresholds, and its extraction method for each kind of page.
    extraction: the output format, and whether sites are remembered. Raises ValueError for
        contradictory options.
    """

    def __init__(
        self, genres: Genres | None = None, extraction: ExtractionTable | None = None
    ) -> None:
        self._genres = genres or Genres()
        table = extraction or ExtractionTable()
        self._output = Output(**table.model_dump(exclude={_SITE_MEMORY}))
        self._learns_sites = table.site_memory
        self._classifier = HtmlClassifier.shipped()
        self._stacking = Stacking.shipped()
        self._kinds = Kinds(self._genres)

    def warm(self) -> None:
        """Load every model that the job may need.

        Raises ValueError or ImportError for a method that cannot be loaded.
        """
        for name in self._genres.extractors.methods():
            extractor(name)
        moment = datetime.fromisoformat("2026-01-01T00:00:00+00:00")
        self.read(PageTask(Html(_WARM_PAGE), "http://localhost/", moment))

    def read(self, task: PageTask) -> Reading:
        """Parse and read a page. Raises PageRejectedError."""
        return self.content(self.parse(task))

    def parse(self, task: Given) -> ParsedPage[Given]:
        """Parse a page, and scan it if the task says so. Raises PageRejectedError if that is
        impossible.
        """
        text, encoding = task.html.decoded()
        try:
            dom = parse(text)
            if isinstance(task, ContentTask):
                return ParsedPage(task, dom)
            scan = task.scan.scan(dom, task.url, encoding) if task.scan else None
        except MarkupError as error:
            raise PageRejectedError(unreadable(error)) from error
        return ParsedPage(task, dom, scan, task.rejection or (scan.empty if scan else None))

    @overload
    def content(self, page: ParsedPage[PageTask]) -> Reading: ...

    @overload
    def content(self, page: ParsedPage[Task]) -> Content: ...

    def content(self, page: ParsedPage[Task]) -> Content:
        """What the task asks for. Raises PageRejectedError if the page is empty or cannot be
        extracted.
        """
        (found,) = self.contents([page])
        if isinstance(found, Rejection):
            raise PageRejectedError(found)
        return found

    def contents(self, pages: Sequence[ParsedPage[Task]]) -> list[Content | Rejection]:
        """The same of several pages, which takes less time."""
        accepted = [page for page in pages if page.rejection is None]
        # The classifier and the methods share its columns while it is here.
        forest = forest_of([page.dom for page in accepted]) if accepted else None
        told = self._told(accepted)
        found = self._extractions(accepted, told)
        del forest
        read = map(self._read, accepted, told, found)
        return [page.rejection or next(read) for page in pages]

    def _told(self, pages: Sequence[ParsedPage[Task]]) -> list[_Told]:
        """How the pages are extracted; those of a PageTask after a look at their kind."""
        unknown = [page for page in pages if isinstance(page.task, PageTask)]
        by_html = iter(
            self._classifier.predict(
                [page.dom for page in unknown], [page.task.url for page in unknown]
            )
        )
        return [
            _Told(page.task)
            if isinstance(page.task, ContentTask)
            else self._chosen(page.task, next(by_html))
            for page in pages
        ]

    def _chosen(self, task: PageTask, by_html: Prediction) -> _Told:
        first = self._kinds.judged(by_html, task.screenshot)
        method = task.method or self._method(first, task.genre)
        asked = ContentTask(
            task.html,
            task.url,
            method,
            task.genre or _kind(extractor(method), first),
            site=task.site,
        )
        return _Told(asked, by_html)

    def _extractions(
        self, pages: Sequence[ParsedPage[Task]], told: Sequence[_Told]
    ) -> list[Extraction | ExtractionError]:
        """The pages that have one method are read at once."""
        by_method: defaultdict[tuple[str, bool], list[int]] = defaultdict(list)
        for number, its in enumerate(told):
            by_method[its.asked.method, its.asked.with_blocks].append(number)
        found: dict[int, Extraction | ExtractionError] = {}
        for (name, with_blocks), numbers in by_method.items():
            method, output = extractor(name), replace(self._output, selection=with_blocks)
            sources = [self._source(method, pages[one].dom, told[one]) for one in numbers]
            answers = method.extract_many(sources, output)
            found |= dict(zip(numbers, answers, strict=True))
        return [found[number] for number in range(len(pages))]

    def _source(self, method: Extractor, dom: Dom, told: _Told) -> Source:
        task = told.asked
        # Third-party libraries parse the page themselves; our own methods share one tree.
        html = dom if isinstance(method, DomExtractor) else task.html.for_parsers()
        return Source(
            html,
            url=task.url,
            genre=task.kind,
            charset=task.html.charset if isinstance(html, bytes) else None,
            site=self._site(task.site),
            rendered=task.html.is_rendered,
            page_type_scores=told.by_html.page_type_scores if told.by_html else None,
        )

    def _read(
        self, page: ParsedPage[Task], told: _Told, found: Extraction | ExtractionError
    ) -> Content | Rejection:
        if isinstance(found, ExtractionError):
            return unreadable(found)
        content = self._content(found, told.asked)
        task = page.task
        if told.by_html is None or isinstance(task, ContentTask):
            return content
        weighed = self._stacking.weigh(told.by_html, found.page_type_scores)
        return Reading(
            **{name: getattr(content, name) for name in _CONTENT},
            kind=told.asked.kind,
            prediction=self._kinds.judged(weighed, task.screenshot),
            metadata=page_metadata(page.dom, url=task.url, fetched_at=task.fetched_at),
        )

    def _content(self, found: Extraction, task: ContentTask) -> Content:
        language = identify_language(self._plain_text(found))
        return Content(
            text=found.text,
            extractor=extractor(task.method).name,
            confidence=found.confidence,
            empty=found.empty,
            comments=found.comments if self._output.comments == "separate" else None,
            language=language[0] if language else None,
            language_probability=language[1] if language else None,
            site_pages=found.site_pages,
            marks=found.marks if task.site is None else None,
            blocks=PageBlocks.of(found.selection) if found.selection is not None else None,
        )

    def _site(self, memory: bytes | None) -> SiteMemory | None:
        """The memory with which a page is read; an empty one gives the page's marks."""
        if memory is not None:
            return _memory(memory)
        return SiteMemory() if self._learns_sites else None

    def _plain_text(self, found: Extraction) -> str:
        """The text without markup."""
        return found.text if self._output.format == "text" else join(found.blocks)

    def _method(self, prediction: Prediction, genre: str | None) -> str:
        page_type = prediction.page_type if genre is None else None
        return self._genres.extractors.method_for(
            genre=genre or prediction.genre, page_type=page_type
        )


def unreadable(error: Exception) -> Rejection:
    """The rejection of a page that cannot be parsed or extracted."""
    return Rejection(UNREADABLE, str(error)[:_LONGEST_DETAIL])


@lru_cache(_SITES_KEPT)
def _memory(content: bytes) -> SiteMemory:
    return SiteMemory.from_bytes(content)


def _kind(method: Extractor, prediction: Prediction) -> str | None:
    """The kind of page that a method is told, if it does not judge pages by itself."""
    if isinstance(method, DomExtractor) and method.judges_pages:
        return None
    return prediction.page_type or prediction.genre

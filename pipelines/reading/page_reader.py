"""Reads a page in one parse: its genre and page type, main content, metadata and language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Self

from corpus_commons.empty_pages import Emptiness
from corpus_commons.markup import Dom, MarkupError, parse
from corpus_commons.markup.encoding import decoded
from corpus_commons.markup.xhtml import with_end_tags
from crawler.discovery.links import tree_of
from crawler.discovery.page_scan import PageScan, ScanTask
from crawler.items import Document, Page
from crawler.outcomes import UNREADABLE, Rejection
from extraction.base import DomExtractor
from extraction.output import Output
from extraction.page.blocks import join
from extraction.registry import extractor
from extraction.result import Extraction, ExtractionError
from genre_model.fusion import HTML, SCREENSHOT, Fusion
from genre_model.fusion import SHIPPED as SHIPPED_FUSION
from genre_model.html.classifier import HtmlClassifier
from genre_model.prediction import Prediction
from pipelines.metadata import PageMetadata, identify_language, page_metadata
from settings.tables.extraction import Extraction as ExtractionTable
from settings.tables.genres import Genres

_WARM_PAGE = "<!doctype html><title>A title</title><main><h1>A heading</h1>" + (
    "<p>A paragraph of plain words, long enough to be taken for the content of a page.</p>" * 5
)
# Of the scores in a document, after the decimal point.
_DIGITS: Final = 4
_LONGEST_DETAIL: Final = 500


@dataclass(frozen=True, slots=True)
class PageTask:
    """A page to be read by a worker process.

    html: bytes as served, or text serialised by a browser.
    charset: of the Content-Type header; used for bytes only.
    is_xhtml: whether the bytes were served as XML, so that any element may be self-closing.
    fetched_at: timezone-aware; later publication dates are ignored.
    screenshot: the screenshot network's prediction, if there is one.
    genre: set by the user instead of predicted; the classifiers' scores are kept.
    is_rendered: whether a browser has run the page's scripts.
    method: an extraction method that overrides the job's choice.
    scan: how to scan the page for the crawl; None if that is not needed.
    rejection: why the page is already known not to become a document; then it is only scanned.
    """

    html: bytes | str
    url: str
    fetched_at: datetime
    charset: str | None = None
    is_xhtml: bool = False
    screenshot: Prediction | None = None
    genre: str | None = None
    is_rendered: bool = False
    method: str | None = None
    scan: ScanTask | None = None
    rejection: Rejection | None = None

    @classmethod
    def of(cls, page: Page, screenshot: Prediction | None = None) -> Self:
        """A task with the rendered HTML if there is one, otherwise the HTML as served."""
        if page.rendered_html is not None:
            return cls(
                page.rendered_html,
                page.url,
                page.fetched_at,
                screenshot=screenshot,
                is_rendered=True,
            )
        return cls(
            page.html,
            page.url,
            page.fetched_at,
            charset=page.charset,
            is_xhtml=page.is_xhtml,
            screenshot=screenshot,
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """The content of a page; the fields are those of ``crawler.items.Document``.

    confidence: the extractor's own estimate of the text's quality, in [0, 1]; None if it has none.
    empty: why there is no text; None if there is some.
    comments: readers' comments; None unless the job wants them separate from the text.
    """

    text: str
    extractor: str
    prediction: Prediction
    confidence: float | None = None
    empty: Emptiness | None = None
    comments: str | None = None
    metadata: PageMetadata = field(default_factory=PageMetadata)
    language: str | None = None
    language_probability: float | None = None

    def document(self, page: Page) -> Document:
        """The document of the page that was read."""
        prediction = self.prediction
        return replace(
            Document.of(page, self.text),
            genre=prediction.genre,
            genre_scores=_rounded(prediction.genre_scores),
            page_type=prediction.page_type,
            page_type_scores=_rounded(prediction.page_type_scores),
            extractor=self.extractor,
            extractor_confidence=self.confidence and round(self.confidence, _DIGITS),
            language=self.language,
            language_probability=self.language_probability,
            extra=self._extra(),
            **asdict(self.metadata),
        )

    def _extra(self) -> dict[str, Any]:
        comments = {} if self.comments is None else {"comments": self.comments}
        return comments if self.empty is None else {**comments, "empty": asdict(self.empty)}


def _rounded(scores: dict[str, float]) -> dict[str, float]:
    return {label: round(float(score), _DIGITS) for label, score in scores.items()}


class PageRejectedError(ValueError):
    """The page does not become a document; ``rejection`` says why."""

    def __init__(self, rejection: Rejection) -> None:
        super().__init__(rejection.detail)
        self.rejection = rejection


class PageReader:
    """Reads pages with a job's methods. Models are loaded at the first use, or by ``warm``.

    genres: the job's thresholds, and its extraction method for each kind of page.
    extraction: the output format. Raises ValueError for contradictory options.
    """

    def __init__(
        self, genres: Genres | None = None, extraction: ExtractionTable | None = None
    ) -> None:
        self._genres = genres or Genres()
        self._output = Output(**(extraction or ExtractionTable()).model_dump())
        self._classifier = HtmlClassifier.shipped()
        self._fusion = Fusion.load(SHIPPED_FUSION)

    def warm(self) -> None:
        """Load every model that the job may need.

        Raises ValueError or ImportError for a method that cannot be loaded.
        """
        for name in self._genres.extractors.methods():
            extractor(name)
        moment = datetime.fromisoformat("2026-01-01T00:00:00+00:00")
        self.read(PageTask(_WARM_PAGE, "http://localhost/", moment))

    def read(self, task: PageTask, scanned: Callable[[PageScan], object] | None = None) -> Reading:
        """Raises PageRejectedError if the page is empty, or cannot be parsed or extracted.

        scanned: called with the scan that the task asks for, before the content is read.
        """
        if task.is_xhtml and isinstance(task.html, bytes):
            task = replace(task, html=with_end_tags(task.html))
        try:
            dom = _dom(task, scanned)
            prediction = self._prediction(dom, task)
            method = extractor(task.method or self._method(prediction, task.genre))
            # Third-party libraries parse the page themselves; our own methods share one tree.
            page = dom if isinstance(method, DomExtractor) else task.html
            found = method.extract(
                page,
                url=task.url,
                genre=task.genre or _kind(prediction),
                charset=task.charset if isinstance(page, bytes) else None,
                output=self._output,
                rendered=task.is_rendered,
            )
        except (MarkupError, ExtractionError) as error:
            raise PageRejectedError(Rejection(UNREADABLE, str(error)[:_LONGEST_DETAIL])) from error
        language = identify_language(self._plain_text(found))
        return Reading(
            text=found.text,
            extractor=method.name,
            prediction=prediction,
            confidence=found.confidence,
            empty=found.empty,
            comments=found.comments if self._output.comments == "separate" else None,
            metadata=page_metadata(dom, url=task.url, fetched_at=task.fetched_at),
            language=language[0] if language else None,
            language_probability=language[1] if language else None,
        )

    def _plain_text(self, found: Extraction) -> str:
        """The text without markup."""
        return found.text if self._output.format == "text" else join(found.blocks)

    def _method(self, prediction: Prediction, genre: str | None) -> str:
        page_type = prediction.page_type if genre is None else None
        return self._genres.extractors.method_for(
            genre=genre or prediction.genre, page_type=page_type
        )

    def _prediction(self, dom: Dom, task: PageTask) -> Prediction:
        [html] = self._classifier.predict([dom])
        fused = self._fusion.fuse({SCREENSHOT: task.screenshot, HTML: html})
        genre = fused.with_threshold(self._genres.genre_threshold)
        page_type = fused.with_threshold(self._genres.page_type_threshold)
        return Prediction(
            genre.genre, genre.genre_scores, page_type.page_type, page_type.page_type_scores
        )


def _dom(task: PageTask, scanned: Callable[[PageScan], object] | None) -> Dom:
    """The parsed page, after the scan. Raises MarkupError, PageRejectedError."""
    text, encoding = decoded(task.html, task.charset)
    tree = tree_of(text)
    dom = parse(tree)
    rejection = task.rejection
    if task.scan is not None:
        scan = task.scan.scan(tree, dom, task.url, encoding)
        if scanned is not None:
            scanned(scan)
        rejection = rejection or scan.empty
    if rejection is not None:
        raise PageRejectedError(rejection)
    return dom


def _kind(prediction: Prediction) -> str | None:
    """The kind of page that is passed to methods: the page type if known, otherwise the genre."""
    return prediction.page_type or prediction.genre

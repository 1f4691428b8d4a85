"""What is read from a page in one parse: its kind, its main content, its metadata, its language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from selectolax.lexbor import LexborHTMLParser

from crawler.links import tree_of
from crawler.page_look import Look, LookTask
from crawler.verdicts import Rejection
from extraction.base import DomExtractor
from extraction.blocks import join
from extraction.output import Output
from extraction.registry import extractor
from extraction.result import Extraction, ExtractionError
from genre_model.fusion import HTML, SCREENSHOT, Fusion
from genre_model.fusion import SHIPPED as SHIPPED_FUSION
from genre_model.html.classifier import HtmlClassifier
from genre_model.prediction import Prediction
from markup import Dom, MarkupError, parse
from markup.encoding import decoded
from markup.xhtml import with_end_tags
from pipelines.metadata import PageMetadata, identify_language, page_metadata
from settings.tables.extraction import Extraction as ExtractionTable
from settings.tables.genres import Genres

_WARM_PAGE = "<!doctype html><title>A title</title><main><h1>A heading</h1>" + (
    "<p>A paragraph of plain words, long enough to be taken for the content of a page.</p>" * 5
)


@dataclass(frozen=True, slots=True)
class PageTask:
    """A page to be read; goes to a worker process.

    html: bytes as served, or the text that a browser serialised.
    charset: the label of the HTTP header, for bytes.
    is_xhtml: whether bytes were served as XML, where any tag may end its own element.
    fetched_at: aware; dates of publication after it are not believed.
    screenshot: what the screenshot network says, where it was asked.
    genre: known beforehand, as a user says; the classifiers' scores are kept beside it.
    method: an extraction method that takes the place of the job's choice.
    look: how to look at the page for the crawl; None if that was done.
    rejection: why the page is no document, where that is known: it is only looked at.
    """

    html: bytes | str
    url: str
    fetched_at: datetime
    charset: str | None = None
    is_xhtml: bool = False
    screenshot: Prediction | None = None
    genre: str | None = None
    method: str | None = None
    look: LookTask | None = None
    rejection: Rejection | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a page holds; the fields are those of ``crawler.items.Document``.

    confidence: the extractor's own estimate, in [0, 1], that the text is right; None if it has
        none.
    comments: readers' comments; None unless they are to be apart from the text.
    """

    text: str
    extractor: str
    prediction: Prediction
    confidence: float | None = None
    comments: str | None = None
    metadata: PageMetadata = field(default_factory=PageMetadata)
    language: str | None = None
    language_probability: float | None = None


class UnreadableError(ValueError):
    """The page is beyond reading; the message says why."""


class NoDocumentError(ValueError):
    """The page need not be read. rejection: why."""

    def __init__(self, rejection: Rejection) -> None:
        super().__init__(f"{rejection.reason}: {rejection.detail}")
        self.rejection = rejection


class PageReader:
    """Reads pages by a job's choice of methods. Models are loaded at the first use, or by ``warm``.

    genres: the job's thresholds, and its extraction method for each kind of page.
    extraction: how it wants the text written. Raises ValueError for what contradicts itself.
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

    def read(self, task: PageTask, looked: Callable[[Look], object] | None = None) -> Reading:
        """Raises UnreadableError for a page that no method can read, NoDocumentError.

        looked: is given the look that the task asks for, before the rest is read.
        """
        if task.is_xhtml and isinstance(task.html, bytes):
            task = replace(task, html=with_end_tags(task.html))
        try:
            dom = _dom(task, looked)
            prediction = self._prediction(dom, task)
            method = extractor(task.method or self._method(prediction, task.genre))
            # Libraries have a tree of their own; all our methods share the one.
            page = dom if isinstance(method, DomExtractor) else task.html
            found = method.extract(
                page,
                url=task.url,
                genre=task.genre or _kind(prediction),
                charset=task.charset if isinstance(page, bytes) else None,
                output=self._output,
            )
        except (MarkupError, ExtractionError) as error:
            raise UnreadableError(str(error)) from error
        language = identify_language(self._plain_text(found))
        return Reading(
            text=found.text,
            extractor=method.name,
            prediction=prediction,
            confidence=found.confidence,
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


def _dom(task: PageTask, looked: Callable[[Look], object] | None) -> Dom:
    """The page, looked at first. Raises MarkupError, NoDocumentError."""
    text, encoding = decoded(task.html, task.charset)
    tree = tree_of(text)
    if task.rejection is not None:
        _look(task, tree, encoding, looked)
        raise NoDocumentError(task.rejection)
    # Before the look, which changes the tree.
    dom = parse(tree)
    empty = _look(task, tree, encoding, looked)
    if empty is not None:
        raise NoDocumentError(empty)
    return dom


def _look(
    task: PageTask,
    tree: LexborHTMLParser,
    encoding: str,
    looked: Callable[[Look], object] | None,
) -> Rejection | None:
    """Look at the page, if that is asked for; why it is none, if that can be seen."""
    if task.look is None:
        return None
    look = task.look.look(tree, task.url, encoding)
    if looked is not None:
        looked(look)
    return look.empty


def _kind(prediction: Prediction) -> str | None:
    """The kind of page as methods are told it: the finer one where it is known."""
    return prediction.page_type or prediction.genre

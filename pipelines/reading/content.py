"""The main content of a page, and what it takes to read it once more."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Self

from corpus_commons.empty_pages import Emptiness
from crawler.html import Html
from crawler.items import Document, Page
from extraction.page_marks import PageMarks
from genre_model.prediction import Prediction
from pipelines.metadata import PageMetadata
from pipelines.reading.page_blocks import PageBlocks

# Of the scores in a document, after the decimal point.
_DIGITS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The main content of a page; the fields are those of ``crawler.items.Document``.

    confidence: the extractor's own estimate of the text's quality, in [0, 1]; None if it has none.
    empty: why there is no text; None if there is some.
    comments: readers' comments; None unless the job wants them separate from the text.
    marks: what a site remembers of the page. None if the text is final: the page was read with the
        memory of its site, or the job or the method uses none.
    blocks: those of the whole page, if the task asks for them and the method tells.
    """

    text: str
    extractor: str
    confidence: float | None = None
    empty: Emptiness | None = None
    comments: str | None = None
    language: str | None = None
    language_probability: float | None = None
    site_pages: int | None = None
    marks: PageMarks | None = None
    blocks: PageBlocks | None = None

    def put_into(self, document: Document) -> Document:
        """The document with this content instead of its own."""
        return replace(
            document,
            text=self.text,
            extractor=self.extractor,
            extractor_confidence=self.confidence and round(self.confidence, _DIGITS),
            language=self.language,
            language_probability=self.language_probability,
            site_pages=self.site_pages,
            extra=self._extra(),
        )

    def _extra(self) -> dict[str, Any]:
        comments = {} if self.comments is None else {"comments": self.comments}
        return comments if self.empty is None else {**comments, "empty": asdict(self.empty)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(Content):
    """All that is read in a page. kind: the kind of page that the method was told."""

    prediction: Prediction
    kind: str | None = None
    metadata: PageMetadata = field(default_factory=PageMetadata)

    def document(self, page: Page) -> Document:
        """The document of the page that was read."""
        prediction = self.prediction
        document = replace(
            Document.of(page),
            genre=prediction.genre,
            genre_scores=_rounded(prediction.genre_scores),
            page_type=prediction.page_type,
            page_type_scores=_rounded(prediction.page_type_scores),
            **asdict(self.metadata),
        )
        return self.put_into(document)


@dataclass(frozen=True, slots=True)
class ContentTask:
    """A page whose content is to be read by a worker process.

    method: the extraction method. kind: of the page, as the method is told.
    site: the memory of the page's site, as bytes; None if nothing is known of it.
    with_blocks: whether to tell of all blocks of the page which were kept.
    """

    html: Html
    url: str
    method: str
    kind: str | None = None
    site: bytes | None = None
    with_blocks: bool = False

    @classmethod
    def again(cls, page: Page, reading: Reading) -> Self:
        """The task to read the content of a page as before."""
        return cls(page.best_html, page.url, reading.extractor, reading.kind)


def _rounded(scores: dict[str, float]) -> dict[str, float]:
    return {label: round(float(score), _DIGITS) for label, score in scores.items()}

"""From a page to its document: the task for a worker process, and the document from its reading."""

from __future__ import annotations

from dataclasses import asdict, replace

from crawler.items import Document, Page
from genre_model.prediction import Prediction
from pipelines.reading.page_reader import PageTask, Reading

_DIGITS = 4


def task_of(page: Page, screenshot: Prediction | None = None) -> PageTask:
    """A task with the rendered HTML if there is one, otherwise the HTML as served."""
    if page.rendered_html is not None:
        return PageTask(page.rendered_html, page.url, page.fetched_at, screenshot=screenshot)
    return PageTask(
        page.html,
        page.url,
        page.fetched_at,
        charset=page.charset,
        is_xhtml=page.is_xhtml,
        screenshot=screenshot,
    )


def document_of(page: Page, reading: Reading) -> Document:
    """The document of a page that was read."""
    prediction = reading.prediction
    return replace(
        Document.of(page, reading.text),
        genre=prediction.genre,
        genre_scores=_rounded(prediction.genre_scores),
        page_type=prediction.page_type,
        page_type_scores=_rounded(prediction.page_type_scores),
        extractor=reading.extractor,
        extractor_confidence=reading.confidence and round(reading.confidence, _DIGITS),
        language=reading.language,
        language_probability=reading.language_probability,
        extra={} if reading.comments is None else {"comments": reading.comments},
        **asdict(reading.metadata),
    )


def _rounded(scores: dict[str, float]) -> dict[str, float]:
    return {label: round(float(score), _DIGITS) for label, score in scores.items()}

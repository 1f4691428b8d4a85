"""The columns of a data set: one schema for all documents, whatever corpus they come from."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any, Final, NamedTuple

import pyarrow as pa
from datatrove.data import Document

from corpus_commons.markup.words import count_words
from crawler.consent.statement import statements_in
from crawler.items import moment
from refinery.blocks.documents import ARCHIVE, ARCHIVE_OFFSET, RECORD_ID, host_of
from refinery.steps.personal_data import MASKED
from refinery.steps.repeated_lines import LINES_REMOVED
from refinery.steps.tokens import TOKENS


class Column(NamedTuple):
    """name, type, and what the values are."""

    name: str
    type: pa.DataType
    meaning: str


_TEXT, _SHARE, _COUNT = pa.string(), pa.float32(), pa.int32()
_MOMENT: Final = pa.timestamp("ms", tz="UTC")

COLUMNS: Final = (
    Column("id", _TEXT, "128 bits of a hash of the requested URL, in hexadecimal"),
    Column("text", _TEXT, "the main content; paragraphs are separated by blank lines"),
    Column("url", _TEXT, "the address after redirects"),
    Column("requested_url", _TEXT, "the address before redirects; null if that is unknown"),
    Column("canonical", _TEXT, "what the page says it is a copy of; null if of none"),
    Column("host", _TEXT, "the host of the URL; all documents of its site are in one split"),
    Column("fetched_at", _MOMENT, "when the page was fetched"),
    Column("version", _COUNT, "of the page's text, from 1"),
    Column("first_seen", _MOMENT, "when the page was first visited; null if that is unknown"),
    Column("changed_at", _MOMENT, "when this text was first seen; null of the first version"),
    Column("genre", _TEXT, "article or list-view; null if unsure"),
    Column("genre_probability", _SHARE, "of the more probable genre; null if no model was asked"),
    Column("page_type", _TEXT, "the finer page type; null if unsure"),
    Column("page_type_probability", _SHARE, "of the most probable page type"),
    Column("language", _TEXT, "ISO 639 code, from the text"),
    Column("language_probability", _SHARE, "of that language"),
    Column("title", _TEXT, "as the page declares it, as are the next six"),
    Column("author", _TEXT, "names, separated by semicolons"),
    Column("published", _TEXT, "ISO 8601 date or time"),
    Column("site_name", _TEXT, "the name of the site"),
    Column("description", _TEXT, "at most 1,000 characters"),
    Column("licence", _TEXT, "URL of the licence"),
    Column("consent", _TEXT, "signals by which the owner reserves a use; null if not recorded"),
    Column("rendered", pa.bool_(), "whether the HTML came from a browser"),
    Column("extractor", _TEXT, "the extraction method"),
    Column("extractor_confidence", _SHARE, "the method's own estimate of the text's quality"),
    Column(ARCHIVE, _TEXT, "the name of the WARC file that the page is from; null of a crawl"),
    Column(ARCHIVE_OFFSET, pa.int64(), "the byte of that file where the page's record begins"),
    Column(RECORD_ID, _TEXT, "WARC-Record-ID of that record"),
    Column("words", _COUNT, "of the text; an ideograph or a kana counts as one"),
    Column("tokens", _COUNT, "of the text; null if the recipe does not count them"),
    Column("masked", _COUNT, "masked places of personal data, also in what the page declares"),
    Column("lines_removed", _COUNT, "how many repeated lines were taken out"),
)
MOMENTS: Final = tuple(column.name for column in COLUMNS if column.type == _MOMENT)
"""The columns that are times."""
SCHEMA: Final = pa.schema(
    [
        pa.field(column.name, column.type, metadata={"description": column.meaning})
        for column in COLUMNS
    ]
)
"""The columns as pyarrow has them."""
COUNTED: Final = (TOKENS, MASKED, LINES_REMOVED)
"""The keys of metadata in which steps count."""


def row_of(document: Document) -> dict[str, Any]:
    """The values of a document's columns."""
    metadata = document.metadata
    known = {column.name: metadata.get(column.name) for column in COLUMNS}
    return known | {
        "id": document.id,
        "text": document.text,
        "host": host_of(document),
        "fetched_at": moment(metadata["fetched_at"]),
        "version": metadata.get("version") or 1,
        "first_seen": _moment(metadata.get("first_seen")),
        "changed_at": _moment(metadata.get("changed_at")),
        "genre_probability": _largest(metadata.get("genre_scores")),
        "page_type_probability": _largest(metadata.get("page_type_scores")),
        "consent": _reserved(metadata.get("consent")),
        "rendered": bool(metadata.get("rendered")),
        "words": count_words(document.text),
        "tokens": metadata.get(TOKENS),
        "masked": sum((metadata.get(MASKED) or {}).values()),
        "lines_removed": metadata.get(LINES_REMOVED) or 0,
    }


def row_adapter(_: object, document: Document) -> dict[str, Any]:
    """``row_of`` as the ``adapter`` of datatrove's writers, which are its first argument."""
    return row_of(document)


def _reserved(consent: dict[str, Any] | None) -> str | None:
    """The signals that say no, which the crawl's policy did not honour."""
    if consent is None:
        return None
    noes = (one.signal for one in statements_in(consent) if one.says == "no")
    return " ".join(dict.fromkeys(noes))


def _moment(text: str | None) -> datetime | None:
    return moment(text) if text else None


def _largest(scores: dict[str, float] | None) -> float | None:
    return max(scores.values(), default=None) if scores else None


def _text(value: object) -> None:
    if not isinstance(value, str):
        raise TypeError


def _of_scores(scores: dict[str, float] | None) -> None:
    pa.scalar(_largest(scores), _SHARE)


_MADE: Final = {"id", "text", "host", "genre_probability", "page_type_probability"}
# What the steps and ``row_of`` read of the metadata, and what fails if they could not.
_READ: Final[dict[str, Callable[[Any], object]]] = {
    **{
        column.name: _text if column.type == _TEXT else partial(pa.scalar, type=column.type)
        for column in COLUMNS
        if column.type in (_TEXT, _SHARE, pa.int64()) and column.name not in _MADE
    },
    "version": partial(pa.scalar, type=_COUNT),
    "fetched_at": moment,
    "first_seen": _moment,
    "changed_at": _moment,
    "genre_scores": _of_scores,
    "page_type_scores": _of_scores,
    "consent": _reserved,
}


def check(document: Document) -> None:
    """Raises ValueError, with document and key, if a value does not fit into its column."""
    for key, read in _READ.items():
        value = document.metadata.get(key)
        if value is None and key != "fetched_at":
            continue
        try:
            read(value)
        except (ValueError, TypeError, AttributeError, LookupError, OverflowError):
            raise ValueError(
                f'document {document.id:.100}: its "{key}" cannot be {value!r:.100}'
            ) from None

"""Documents of datatrove, and the crawler's: the same ``id``, ``text`` and ``metadata``.

A rejected page is a document with ``reject_reason`` and ``reject_detail`` in its metadata, as in a
shard of rejects. Blocks pass it on only if they are told to, because other blocks would take it for
a document.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any, Final

import datatrove.data as trove

from crawler.html import Html
from crawler.items import METADATA_FIELDS, REJECT_DETAIL, REJECT_REASON, Document, moment
from crawler.outcomes import Rejection
from crawler.urls import host_if_any

# Of a page that is not read yet: the headers by which its owner may say something of its use.
SAID: Final = "consent_headers"
# Of one that was rendered: the page as it was served.
SERVED: Final = "served_html"
# Of what comes from an archive: which one, where its record begins there, and the record's name.
ARCHIVE: Final = "archive"
ARCHIVE_OFFSET: Final = "archive_offset"
RECORD_ID: Final = "record_id"
_DEFAULTS: Final[dict[str, Any]] = {
    item.name: None if item.default is MISSING else item.default
    for item in fields(Document)
    if item.name in METADATA_FIELDS
}


def trove_document(document: Document, rejection: Rejection | None = None) -> trove.Document:
    """The document as datatrove has it."""
    found = trove.Document(document.text, document.id, metadata=document.metadata())
    return found if rejection is None else rejected(found, rejection)


def rejected(document: trove.Document, rejection: Rejection) -> trove.Document:
    """The document, marked as a reject."""
    document.metadata |= {REJECT_REASON: rejection.reason, REJECT_DETAIL: rejection.detail}
    return document


def rejection_of(document: trove.Document) -> Rejection | None:
    """Why the document is a reject; None if it is none."""
    reason = document.metadata.get(REJECT_REASON)
    return None if reason is None else Rejection(reason, document.metadata.get(REJECT_DETAIL) or "")


def crawl_document(document: trove.Document) -> Document:
    """The document as the crawler has it; what other blocks added goes into ``extra``.

    Raises ValueError without ``url`` and ``fetched_at`` (or ``date``, as datatrove calls it).
    """
    metadata = dict(document.metadata)
    metadata.pop(REJECT_REASON, None)
    metadata.pop(REJECT_DETAIL, None)
    time = metadata.pop("fetched_at", None) or metadata.pop("date", None)
    if not metadata.get("url") or not time:
        raise ValueError(f"document {document.id} must have the metadata url and fetched_at")
    known = {name: metadata.pop(name, default) for name, default in _DEFAULTS.items()}
    for name in ("genre_scores", "page_type_scores"):
        known[name] = known[name] if isinstance(known[name], dict) else {}
    known["fetched_at"] = moment(str(time))
    return Document(id=document.id, text=document.text, **known, extra=metadata)


def html_of(document: trove.Document) -> Html:
    """The HTML of a page that is not read yet."""
    return Html(document.text, is_rendered=document.metadata.get("rendered") is True)


def host_of(document: trove.Document) -> str:
    """The host of a document's URL, in lower case; empty if it has none."""
    return host_if_any(document.metadata.get("url") or "")

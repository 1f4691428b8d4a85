"""The items of the crawl: pages as fetched, and documents as written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, Final, Self

import orjson

from corpus_commons import json_text
from corpus_commons.markup.media_type import last_media_type
from crawler.html import Html
from crawler.lease import Lease
from crawler.outcomes import Rejection
from crawler.urls import UrlError, address

_ID_BYTES = 16
_NOT_METADATA: Final = frozenset({"id", "text", "extra"})
GONE_REASON: Final = "gone_reason"
"""The metadata key of a tombstone that says why its page is gone."""
REJECT_REASON: Final = "reject_reason"
REJECT_DETAIL: Final = "reject_detail"
"""The metadata keys of a reject that say why it is one: a word, and the particulars."""

_OPTIONS: Final = orjson.OPT_APPEND_NEWLINE | orjson.OPT_SERIALIZE_NUMPY


def document_id(url: str) -> str:
    """The id of a document: 128 bits in 32 hexadecimal digits.

    It is a hash of the canonical form of the leased URL alone. So a page that is fetched again
    after a crash has the same id, even if the redirects have changed, and repeats can be removed.
    URLs that the frontier considers equal have the same id.

    >>> document_id("http://example.com/a?utm_source=x#top") == document_id("http://example.com/a")
    True
    """
    try:
        canonical = address(url).canonical
    except UrlError:  # A file, or a URL that is not in a frontier.
        canonical = url
    return blake2b(canonical.encode("utf-8", "surrogatepass"), digest_size=_ID_BYTES).hexdigest()


@dataclass(frozen=True, slots=True)
class Timings:
    """Wall-clock seconds spent on a page; 0 for steps that were not done.

    download: from the request to the last byte of the body.
    render: from the browser's navigation until the page had settled.
    screenshot: for taking and encoding the screenshot.
    """

    download: float = 0.0
    render: float = 0.0
    screenshot: float = 0.0


@dataclass(frozen=True, slots=True)
class Page:
    """The result of fetching one lease.

    lease: the URL that was requested (``lease.url``), with the fencing token to acknowledge it.
    url: the final URL, after redirects.
    redirects: the URLs that redirected, in order, beginning with the requested one; empty if none.
    status: HTTP status of the final response; 0 if it was not accepted, e.g. because of its size.
    headers: of the final response, in order; names in lower case, values decoded as Latin-1.
    html: the body as served, but without content encoding (gzip, brotli).
    charset: of the ``Content-Type`` header, not validated; None if it has none.
    fetched_at: when the final response had arrived; UTC.
    rendered_html: the DOM after scripts ran, serialised by the browser; None if not rendered.
    screenshot: JPEG bytes of a viewport 1280 CSS pixels wide, from the top of the page, clipped at
        the height in the rendering settings; None if not rendered.
    timings: seconds spent on the page.
    new_links: how many of its links were new to the frontier.
    reading: the result of the pipelines' reader; None if it has not read the page.
    consent: see ``Document``.
    rendering_reason, rendering_gain: see ``Document``.
    """

    lease: Lease
    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    html: bytes
    fetched_at: datetime
    redirects: tuple[str, ...] = ()
    charset: str | None = None
    rendered_html: str | None = None
    screenshot: bytes | None = None
    timings: Timings = field(default_factory=Timings)
    new_links: int = 0
    reading: object = None
    consent: Mapping[str, Any] | None = None
    rendering_reason: str | None = None
    rendering_gain: float | None = None

    @property
    def id(self) -> str:
        """The id of this page's document."""
        return document_id(self.lease.url)

    @property
    def depth(self) -> int:
        """Number of links from a seed; 0 for a seed."""
        return self.lease.depth

    @property
    def best_html(self) -> Html:
        """The rendered HTML if there is one, otherwise the HTML as served."""
        if self.rendered_html is not None:
            return Html(self.rendered_html, is_rendered=True)
        return self.served_html

    @property
    def served_html(self) -> Html:
        """The HTML as served."""
        kind = last_media_type(value for name, value in self.headers if name == "content-type")
        return Html(self.html, self.charset, is_xhtml=kind == "application/xhtml+xml")


def header_pairs(headers: Mapping[bytes, Sequence[bytes]]) -> tuple[tuple[str, str], ...]:
    """The headers of a response, in the form of ``Page.headers``."""
    return tuple(
        (name.decode("latin-1").lower(), value.decode("latin-1"))
        for name, values in headers.items()
        for value in values
    )


@dataclass(frozen=True, slots=True)
class RejectedPage:
    """A page that the spider rejects, and that should be among the rejects.

    The pipelines write it there and then acknowledge ``page.lease``.
    page: as much of it as there is; its ``html`` is empty if the response was not accepted.
    """

    page: Page
    rejection: Rejection

    @property
    def lease(self) -> Lease:
        return self.page.lease


@dataclass(frozen=True, slots=True)
class GonePage:
    """A known page that is gone for good; ``lease.history`` has what is remembered of it.

    The pipelines write a tombstone and then acknowledge the lease.
    outcome: the label to acknowledge it with, such as ``not-found``, which is also the reason.
    at: when that was noticed; UTC.
    """

    lease: Lease
    outcome: str
    at: datetime


@dataclass(slots=True, kw_only=True)
class Document:
    """The main content of a page with its metadata: one line of a shard.

    id: see ``document_id``.
    text: the main content; paragraphs separated by blank lines. From the extractor.
    url: the final URL, after redirects.
    requested_url: the leased URL.
    canonical: the page's canonical link, in the form that is fetched; None if it has none, or if
        that is another spelling of ``url``.
    fetched_at: when the page had arrived; UTC.
    depth: number of links from a seed; 0 for a seed.
    rendered: whether the HTML was rendered in a browser.
    rendering_reason: why it was rendered or was not, if that was decided for each page
        (``crawler.adaptive``); otherwise None.
    rendering_gain: the share of the text's words that only rendering brought, in [0, 1]; None if
        it is not known.
    genre: the most probable genre; None if the model was below its threshold or not used.
    genre_scores: a calibrated probability for every genre; they sum to 1. From the genre model.
    page_type, page_type_scores: the same for the finer page types.
    extractor: the extraction method, by its name in the registry.
    extractor_confidence: the method's own estimate of the text's quality, in [0, 1].
    title, author, site_name, description: as declared by the page, cleaned and truncated.
    published: ISO 8601 date or time of publication, never later than ``fetched_at``.
    language: ISO 639 code, identified from the text.
    language_probability: of that language, in [0, 1].
    site_pages: how many other pages of the site were known and of use when the text was extracted;
        None if the extractor does not use any.
    licence: URL of the licence that the page declares.
    consent: what the owner says about the use of the page, where, and which files were read when
        (``crawler.consent``); None if it was not asked.
    screenshot: path of the stored screenshot, relative to the corpus folder; None if not stored.
    version: of the page's text, from 1; of a reject, what it would have become.
    first_seen: when the page was first visited.
    changed_at: when its present text was first seen; None if it has always been the same.
    previous: when the version before was first seen; None if there is none. These three are ISO
        8601 in UTC; those of an earlier visit are to the second.
    extra: further metadata, of JSON values; must not use the names above.
    """

    id: str
    text: str
    url: str
    fetched_at: datetime
    requested_url: str | None = None
    canonical: str | None = None
    depth: int = 0
    rendered: bool = False
    rendering_reason: str | None = None
    rendering_gain: float | None = None
    genre: str | None = None
    genre_scores: Mapping[str, float] = field(default_factory=dict)
    page_type: str | None = None
    page_type_scores: Mapping[str, float] = field(default_factory=dict)
    extractor: str | None = None
    extractor_confidence: float | None = None
    title: str | None = None
    author: str | None = None
    published: str | None = None
    language: str | None = None
    language_probability: float | None = None
    site_pages: int | None = None
    licence: str | None = None
    site_name: str | None = None
    description: str | None = None
    consent: Mapping[str, Any] | None = None
    screenshot: str | None = None
    version: int = 1
    first_seen: str | None = None
    changed_at: str | None = None
    previous: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, page: Page, text: str = "") -> Document:
        """A document with what is known from fetching; the pipeline fills in the rest."""
        return cls(
            id=page.id,
            text=text,
            url=page.url,
            fetched_at=page.fetched_at,
            requested_url=page.lease.url,
            depth=page.depth,
            rendered=page.rendered_html is not None,
            rendering_reason=page.rendering_reason,
            rendering_gain=page.rendering_gain,
            consent=page.consent,
            first_seen=timestamp(page.fetched_at),
        )

    @classmethod
    def from_json(cls, line: bytes) -> Self:
        """The document of a line that ``to_json`` wrote, or that of an earlier release."""
        found = orjson.loads(line)
        metadata = found["metadata"]
        known = {name: metadata.pop(name) for name in METADATA_FIELDS if name in metadata}
        known["fetched_at"] = moment(known["fetched_at"])
        return cls(id=found["id"], text=found["text"], **known, extra=metadata)

    def metadata(self) -> dict[str, Any]:
        """The ``metadata`` of the line. All keys are always present, so that columns are stable."""
        found = {name: getattr(self, name) for name in METADATA_FIELDS}
        found["fetched_at"] = timestamp(self.fetched_at)
        clash = found.keys() & self.extra.keys()
        if clash:
            raise ValueError(f"extra metadata must not use the names {', '.join(sorted(clash))}")
        return {**found, **self.extra}

    def to_json(self, rejection: Rejection | None = None) -> bytes:
        """The line for a shard, including the newline; lone surrogates become U+FFFD.

        rejection: for a shard of rejects, added to the metadata.
        """
        metadata = self.metadata()
        if rejection is not None:
            metadata[REJECT_REASON] = rejection.reason
            metadata[REJECT_DETAIL] = rejection.detail
        line = {"id": self.id, "text": self.text, "metadata": metadata}
        return json_text.dumps(line, option=_OPTIONS)


METADATA_FIELDS: Final = tuple(
    item.name for item in fields(Document) if item.name not in _NOT_METADATA
)
"""The fields of documents that are keys of ``metadata``."""


def moment(text: str) -> datetime:
    """The time that is written in ISO 8601: in UTC, if it names no zone. Raises ValueError.

    >>> timestamp(moment("2026-05-01T12:00:00"))
    '2026-05-01T12:00:00.000Z'
    """
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def timestamp(time: datetime) -> str:
    """ISO 8601 in UTC with milliseconds, so that strings sort by time.

    >>> timestamp(datetime(2026, 5, 1, 12, tzinfo=UTC))
    '2026-05-01T12:00:00.000Z'
    """
    utc = time.astimezone(UTC)
    return utc.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"

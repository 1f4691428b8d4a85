"""What travels through the crawl: a page as it was fetched, a document as it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, Final

import orjson

from crawler.frontier.base import Lease
from crawler.json_text import sound_json
from crawler.urls import UrlError, address
from crawler.verdicts import Rejection

_ID_BYTES = 16
_NOT_METADATA: Final = frozenset({"id", "text", "extra"})


def document_id(url: str) -> str:
    """The id of what a URL of the frontier leads to: 128 bits in 32 hexadecimal digits.

    It is a hash of the canonical form of the URL that was leased, and of nothing else. A page that
    is fetched again after a crash has the same id, whatever time it is and wherever the server
    redirects this time; so repeats can be removed. URLs that are the same to the frontier are the
    same here.

    >>> document_id("http://example.com/a?utm_source=x#top") == document_id("http://example.com/a")
    True
    """
    try:
        canonical = address(url).canonical
    except UrlError:  # A file or an address of tests, which no frontier holds.
        canonical = url
    return blake2b(canonical.encode("utf-8", "surrogatepass"), digest_size=_ID_BYTES).hexdigest()


@dataclass(frozen=True, slots=True)
class Timings:
    """Where the time of a page went; seconds of wall clock, 0 for what was not done.

    download: from the request to the last byte of the body.
    render: from the browser's navigation until the page had settled.
    screenshot: taking and encoding the picture.
    """

    download: float = 0.0
    render: float = 0.0
    screenshot: float = 0.0


@dataclass(frozen=True, slots=True)
class Page:
    """What came back for one lease.

    lease: the URL that was asked for (``lease.url``), with the fencing token that acknowledges it.
    url: the final URL, after redirects.
    redirects: the URLs that redirected, in order, the requested one first; empty if none did.
    status: HTTP status of the final answer; 0 if it was not taken, as one that is too large.
    headers: of the final answer, in its order; names in lower case, values decoded as Latin-1.
    html: the body as served, without its content encoding (gzip, brotli), otherwise untouched.
    charset: the label in the ``Content-Type`` header, unchecked; None if it has none.
    fetched_at: when the final answer had arrived; UTC.
    rendered_html: the DOM after scripts ran, serialised by the browser; None if not rendered.
    screenshot: JPEG bytes of a viewport 1280 CSS pixels wide, from the top of the page and clipped
        at a height that the rendering settings state; None if not rendered.
    timings: seconds spent on the page.
    reading: what the pipelines' reader has read in it; None if it has not been there.
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
    reading: object = None

    @property
    def id(self) -> str:
        """The id of the document that this page becomes."""
        return document_id(self.lease.url)

    @property
    def depth(self) -> int:
        """Links from a seed; 0 for a seed."""
        return self.lease.depth

    @property
    def is_xhtml(self) -> bool:
        """Whether ``html`` was served as XML, where any tag may end its own element."""
        kind = next((value for name, value in self.headers if name == "content-type"), "")
        return kind.partition(";")[0].strip().lower() == "application/xhtml+xml"


def header_pairs(headers: Mapping[bytes, Sequence[bytes]]) -> tuple[tuple[str, str], ...]:
    """The headers of an answer as a Page has them."""
    return tuple(
        (name.decode("latin-1").lower(), value.decode("latin-1"))
        for name, values in headers.items()
        for value in values
    )


@dataclass(frozen=True, slots=True)
class RejectedPage:
    """What the spider yields for a page that is no document, and that the rejects should show.

    The pipelines write it among the rejects and acknowledge ``page.lease`` when that is safe.
    page: as much of it as there is; its ``html`` is empty if it was not taken.
    """

    page: Page
    rejection: Rejection


@dataclass(slots=True, kw_only=True)
class Document:
    """The main content of a page with its metadata: one line of a shard.

    id: see ``document_id``.
    text: the main content; paragraphs separated by blank lines. From the extractor.
    url: the final URL, after redirects.
    requested_url: the URL as it was leased.
    fetched_at: when the page had arrived; UTC.
    depth: links from a seed; 0 for a seed.
    rendered: whether a browser made the HTML that was read.
    genre: the genre with the best score; None if the model was unsure or not asked.
    genre_scores: a calibrated probability for every genre; they sum to 1. From the genre model.
    page_type, page_type_scores: the same for the finer page types.
    extractor: the extraction method, by its name in the registry.
    extractor_confidence: its own estimate, in [0, 1], that the text is right.
    title, author, site_name, description: as the page declares them, cleaned and cut.
    published: ISO 8601 date or time of publication, never later than ``fetched_at``.
    language: ISO 639 code of the text, as identified from it.
    language_probability: of that language, in [0, 1].
    licence: URL of the licence that the page declares.
    screenshot: path of the kept screenshot, relative to the corpus folder; None if not kept.
    extra: further metadata of JSON values; may not use the names above.
    """

    id: str
    text: str
    url: str
    fetched_at: datetime
    requested_url: str | None = None
    depth: int = 0
    rendered: bool = False
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
    licence: str | None = None
    site_name: str | None = None
    description: str | None = None
    screenshot: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, page: Page, text: str = "") -> Document:
        """The document that a page begins as; the steps of the pipeline fill in the rest."""
        return cls(
            id=page.id,
            text=text,
            url=page.url,
            fetched_at=page.fetched_at,
            requested_url=page.lease.url,
            depth=page.depth,
            rendered=page.rendered_html is not None,
        )

    def metadata(self) -> dict[str, Any]:
        """The ``metadata`` of the line. Every line has every key, so that columns are stable."""
        found = {name: getattr(self, name) for name in _METADATA_FIELDS}
        found["fetched_at"] = timestamp(self.fetched_at)
        clash = found.keys() & self.extra.keys()
        if clash:
            raise ValueError(f"extra metadata may not be named {', '.join(sorted(clash))}")
        return {**found, **self.extra}

    def to_json(self, rejection: Rejection | None = None) -> bytes:
        """The line of a shard, newline included; lone surrogates become U+FFFD.

        rejection: makes it a line of a reject file: ``reject_reason`` and ``reject_detail`` are
        added to the metadata.
        """
        metadata = self.metadata()
        if rejection is not None:
            metadata["reject_reason"] = rejection.reason
            metadata["reject_detail"] = rejection.detail
        line = {"id": self.id, "text": self.text, "metadata": metadata}
        try:
            return orjson.dumps(line, option=_OPTIONS)
        except TypeError:  # orjson refuses what UTF-8 cannot hold.
            return orjson.dumps(sound_json(line), option=_OPTIONS)


_METADATA_FIELDS: Final = tuple(
    item.name for item in fields(Document) if item.name not in _NOT_METADATA
)
_OPTIONS: Final = orjson.OPT_APPEND_NEWLINE | orjson.OPT_SERIALIZE_NUMPY


def timestamp(moment: datetime) -> str:
    """ISO 8601 in UTC with milliseconds, so that strings sort as moments do.

    >>> timestamp(datetime(2026, 5, 1, 12, tzinfo=UTC))
    '2026-05-01T12:00:00.000Z'
    """
    utc = moment.astimezone(UTC)
    return utc.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"

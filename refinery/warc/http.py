"""The HTTP response in a WARC record, with the encodings of its body undone."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from fastwarc.stream_io import BrotliReader, ChunkedReader, GzipReader, WarcReader, ZstdReader
from w3lib.encoding import http_content_type_encoding

MAX_BODY: Final = 10_000_000
"""In bytes, decoded; what a crawl keeps by default (``limits.page_size``)."""

_STATUS: Final = re.compile(rb"HTTP/\d(?:\.\d)? +(\d{3})\b")
_DECODERS: Final[dict[str, Callable[[io.BytesIO], WarcReader]]] = {
    "chunked": ChunkedReader,
    "gzip": GzipReader,
    "x-gzip": GzipReader,
    "deflate": lambda body: GzipReader(body, zlib=True),
    "br": BrotliReader,
    "zstd": ZstdReader,
}


class TooLargeError(ValueError):
    """The body is larger than MAX_BODY, or becomes so when it is decoded."""


@dataclass(frozen=True, slots=True)
class Response:
    """status: 0 if the record has no status line; then ``body`` is all of it.

    headers: in order, names in lower case, values decoded as Latin-1.
    body: without transfer and content encodings.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def media_type(self) -> str:
        """In lower case; empty if there is none."""
        return _value(self.headers, "content-type").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str | None:
        """Of the Content-Type header, not validated."""
        return http_content_type_encoding(_value(self.headers, "content-type"))


def response_of(block: bytes) -> Response:
    r"""The response in the block of a record. Raises TooLargeError.

    >>> response_of(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Hello").body
    b'<p>Hello'
    """
    status = _STATUS.match(block)
    if status is None:
        return Response(0, (), _within(block))
    end = re.search(rb"\r?\n\r?\n", block)
    head, body = (block[: end.start()], block[end.end() :]) if end else (block, b"")
    headers = tuple(
        (name.strip().lower().decode("latin-1"), value.strip().decode("latin-1"))
        for name, colon, value in (line.partition(b":") for line in head.splitlines()[1:])
        if colon
    )
    for encoding in _encodings(headers):
        body = _decoded(body, encoding)
    return Response(int(status[1]), headers, _within(body))


def _encodings(headers: tuple[tuple[str, str], ...]) -> list[str]:
    """In the order in which they are undone: transfer first, then the last one applied."""
    transfer, content = _value(headers, "transfer-encoding"), _value(headers, "content-encoding")
    return [
        name
        for value in (transfer, content)
        for name in (part.strip().lower() for part in reversed(value.split(",")))
        if name in _DECODERS
    ]


def _decoded(body: bytes, encoding: str) -> bytes:
    """The body as it is if it is not encoded so: archivers may decode it, and keep the header."""
    try:
        decoded = _DECODERS[encoding](io.BytesIO(body)).read(MAX_BODY + 1)
    except OSError:
        return body
    return _within(decoded) or body


def _within(body: bytes) -> bytes:
    if len(body) > MAX_BODY:
        raise TooLargeError(f"the body has more than {MAX_BODY:,} bytes")
    return body


def _value(headers: tuple[tuple[str, str], ...], wanted: str) -> str:
    return next((value for name, value in headers if name == wanted), "")

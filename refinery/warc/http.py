"""The HTTP response in a WARC record, with the encodings of its body undone."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from fastwarc.stream_io import BrotliReader, ChunkedReader, WarcReader, ZstdReader
from w3lib.encoding import http_content_type_encoding

from corpus_commons.markup.media_type import last_media_type
from crawler.html import Html

XHTML: Final = "application/xhtml+xml"

MAX_BODY: Final = 10_000_000
"""In bytes, decoded; what a crawl keeps by default (``limits.page_size``)."""

_STATUS: Final = re.compile(rb"HTTP/\d(?:\.\d)? +(\d{3})\b")
# A line that begins so goes on with the header before it (RFC 9112, section 5.2).
_FOLD: Final = re.compile(rb"\r?\n[ \t]+")
# Text has no such characters, and is not the length of a chunk; UTF-16 has a byte order mark.
_ENCODED: Final = re.compile(
    rb"(?!\xff\xfe|\xfe\xff)(?:[0-9A-Fa-f]+[ \t]*\r\n|.{0,1023}?[\0-\x08\x0e-\x1a\x1c-\x1f])",
    re.DOTALL,
)
# Of the content, as in a crawl, and of the transfer.
_MOST_ENCODINGS: Final = 3
# Each takes a copy of those after it.
_MOST_MEMBERS: Final = 100
_MEMBER: Final = b"\x1f\x8b\x08"
_ZLIB_OR_GZIP, _RAW = 32 + zlib.MAX_WBITS, -zlib.MAX_WBITS


class BodyError(ValueError):
    """The body of a response cannot be had."""


class TooLargeError(BodyError):
    """It is larger than MAX_BODY, or becomes so when it is decoded."""


class TruncatedError(BodyError):
    """Its end is missing."""


class DamagedError(BodyError):
    """It is not encoded as it says."""


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
        return last_media_type(_values(self.headers, "content-type"))

    @property
    def charset(self) -> str | None:
        """Of the Content-Type header, not validated."""
        return http_content_type_encoding(dict(self.headers).get("content-type"))

    @property
    def html(self) -> str:
        """The page as an HTML parser understands it."""
        page = Html(self.body, self.charset, is_xhtml=self.media_type == XHTML)
        return page.decoded().text


def response_of(block: bytes) -> Response:
    r"""The response in the block of a record. Raises BodyError.

    >>> response_of(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Hello").body
    b'<p>Hello'
    """
    status = _STATUS.match(block)
    if status is None:
        return Response(0, (), _within(block))
    end = re.search(rb"\r?\n\r?\n", block)
    head, body = (block[: end.start()], block[end.end() :]) if end else (block, b"")
    lines = _FOLD.sub(b" ", head).splitlines()[1:]
    headers = tuple(
        (name.strip().lower().decode("latin-1"), value.strip().decode("latin-1"))
        for name, colon, value in (line.partition(b":") for line in lines)
        if colon
    )
    for encoding in _encodings(headers):
        body = _decoded(body, encoding)
    return Response(int(status[1]), headers, _within(body))


def _encodings(headers: tuple[tuple[str, str], ...]) -> list[str]:
    """In the order in which they are undone: transfer first, then the last one applied.

    Raises DamagedError if they are too many: to undo thousands would take very long.
    """
    found: list[str] = []
    for header in ("transfer-encoding", "content-encoding"):
        parts = (part.strip().lower() for part in ",".join(_values(headers, header)).split(","))
        names = [name for name in parts if name in _DECODERS]
        if len(names) > _MOST_ENCODINGS:
            raise DamagedError(
                f"the {header} header has {len(names):,} encodings, more than {_MOST_ENCODINGS}"
            )
        found += reversed(names)
    return found


def _decoded(body: bytes, encoding: str) -> bytes:
    """The body as it is if it is not encoded: archivers may decode it, and keep the header."""
    try:
        return _within(_DECODERS[encoding](body))
    except (OSError, EOFError, zlib.error) as error:
        if not _ENCODED.match(body):
            return body
        if isinstance(error, EOFError):
            raise TruncatedError(f"the body, encoded by {encoding}, has no end") from None
        raise DamagedError(f"the body cannot be decoded by {encoding}: {error}") from None


def _by(reader: Callable[[io.BytesIO], WarcReader]) -> Callable[[bytes], bytes]:
    return lambda body: reader(io.BytesIO(body)).read(MAX_BODY + 1)


def _inflated(body: bytes) -> bytes:
    """What gzip or zlib compressed, or bare deflate, as browsers accept it."""
    try:
        return _decompressed(body, _ZLIB_OR_GZIP)
    except zlib.error:
        return _decompressed(body, _RAW)


def _decompressed(body: bytes, wbits: int) -> bytes:
    """Of gzip, all members; what follows the last is none of the body."""
    found = b""
    for _ in range(_MOST_MEMBERS):
        stream = zlib.decompressobj(wbits)
        found += stream.decompress(body, MAX_BODY + 1 - len(found))
        if len(found) > MAX_BODY:
            return found
        if not stream.eof:
            raise EOFError
        body = stream.unused_data
        if not body.startswith(_MEMBER):
            return found
    raise OSError(f"it has more than {_MOST_MEMBERS} members")


def _within(body: bytes) -> bytes:
    if len(body) > MAX_BODY:
        raise TooLargeError(f"the body has more than {MAX_BODY:,} bytes")
    return body


def _values(headers: tuple[tuple[str, str], ...], wanted: str) -> list[str]:
    return [value for name, value in headers if name == wanted]


_DECODERS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "chunked": _by(ChunkedReader),
    "gzip": _inflated,
    "x-gzip": _inflated,
    "deflate": _inflated,
    "br": _by(BrotliReader),
    "zstd": _by(ZstdReader),
}

"""The pages and texts in a WARC file; what is damaged is named, and passed over.

A conversion of HTML that follows the response to which it refers is its page after scripts ran.

FastWARC reads records of WARC 1.0 and 1.1, compressed by gzip, zstd or LZ4 or not at all. Where it
finds a file damaged, reading goes on at the next place where a record may begin.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import BinaryIO, Final

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from corpus_commons.markup.media_type import last_media_type
from refinery.warc.http import (
    BodyError,
    DamagedError,
    Response,
    TooLargeError,
    TruncatedError,
    response_of,
)

DAMAGED: Final = "damaged"
TRUNCATED: Final = "truncated"
TOO_LARGE: Final = "too-large"

MAX_RECORD: Final = 32 * 1024 * 1024
"""In bytes. Larger records are passed over: no page that may be read is so large when encoded."""

_PROBLEMS: Final[dict[type[BodyError], str]] = {
    DamagedError: DAMAGED,
    TruncatedError: TRUNCATED,
    TooLargeError: TOO_LARGE,
}
_HTML: Final = "text/html"
_TEXT: Final = frozenset({"", "text/plain"})
# What a record of a response has in it, unless it is of a protocol without headers.
_HTTP: Final = frozenset({"", "application/http", "message/http"})
_RENDERED: Final = (("content-type", f"{_HTML}; charset=utf-8"),)
_MAX_HEADER: Final = 1024 * 1024
_WANTED: Final = int(WarcRecordType.response | WarcRecordType.conversion)
# A gzip member, a zstd frame, or an uncompressed record: where a record may begin.
_BEGINNINGS: Final = (b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"WARC/1.")
_LONGEST_BEGINNING: Final = max(map(len, _BEGINNINGS))
_CHUNK: Final = 1024 * 1024
# Most often the next beginning is near; in what is made of beginnings only, it always is.
_FIRST_CHUNK: Final = 4096
# The least that FastWARC reads at once.
_BUFFER: Final = 65536
# On average, each part of a file may be read again so often because records overlap there.
_MOST_OVERLAPS: Final = 32


@dataclass(frozen=True, slots=True)
class Record:
    """A response, a text (of a WET file), or what is wrong with either.

    offset: where the record begins in the file. url, date, id: as in the record; empty if unknown.
    content: None if there is a problem.
    rendered: the page as its crawler has rendered it; None if it did not.
    refers_to: the id of the record of which this is a conversion; empty if it does not say.
    problem: ``DAMAGED``, ``TRUNCATED`` or ``TOO_LARGE``. detail: its particulars.
    is_short: whether it has fewer bytes than it says; then it may have swallowed those after it.
    """

    offset: int
    url: str = ""
    date: str = ""
    id: str = ""
    content: Response | str | None = None
    rendered: str | None = None
    refers_to: str = ""
    problem: str = ""
    detail: str = ""
    is_short: bool = False

    @property
    def breaks_file(self) -> bool:
        """Whether the file is cut off or damaged here, not only what the record holds."""
        return self.is_short or (self.problem == DAMAGED and not self.url)


def records(file: BinaryIO) -> Iterator[Record]:
    """The responses and conversions in a file, in order, and its damaged places.

    file: must be seekable. Memory is bounded by MAX_RECORD. Raises OSError if it cannot be read.
    """
    return _joined(_records(file))


def _joined(found: Iterable[Record]) -> Iterator[Record]:
    """A response and its page as rendered as one record."""
    before: Record | None = None
    for record in found:
        if before is None:
            before = record
        elif record.refers_to and record.refers_to == before.id and _is_response(before):
            yield replace(before, rendered=record.rendered)
            before = None
        else:
            yield before
            before = record
    if before is not None:
        yield before


def _is_response(record: Record) -> bool:
    return isinstance(record.content, Response) and record.rendered is None


def _records(file: BinaryIO) -> Iterator[Record]:
    position, again = 0, 0
    while (after := (yield from _until_damage(file, position))) is not None:
        reached = file.tell()
        beginning = _next_beginning(file, after)
        if beginning is None:
            return
        position = beginning
        # Where every record claims to hold those after it, reading all would be quadratic.
        again += max(0, reached - position - _BUFFER)
        if again > _MOST_OVERLAPS * max(position, MAX_RECORD):
            detail = "too many records overlap; the rest of the file is passed over"
            yield Record(position, problem=DAMAGED, detail=detail)
            return


def _until_damage(file: BinaryIO, start: int) -> Generator[Record, None, int | None]:
    """Yields records from ``start`` on; returns where to look for more after damage, None at the
    end.
    """
    file.seek(start)
    latest, has_read = start, start == 0
    try:
        archive = ArchiveIterator(
            file, parse_http=False, max_header_len=_MAX_HEADER, fsspec_args=False
        )
        for record in archive:
            latest, has_read = record.stream_pos, True
            if int(record.record_type) & _WANTED:
                found = _read(record)
                yield found
                if found.is_short:
                    return latest + 1
    except OSError as error:
        if error.errno is not None:  # of the disk or the network, not of the content
            raise
        if has_read:  # Otherwise this is still the same damaged place.
            yield Record(latest, problem=DAMAGED, detail=str(error))
        return latest + 1
    return None


def _read(record: WarcRecord) -> Record:
    url = (record.headers.get("WARC-Target-URI") or "").strip("<> ")
    date = record.headers.get("WARC-Date") or ""
    id_ = (record.headers.get("WARC-Record-ID") or "").strip("<> ")
    found = partial(Record, record.stream_pos, url, date, id_)
    length = record.content_length
    if length > MAX_RECORD:
        detail = f"the record has {length:,} bytes, more than {MAX_RECORD:,}"
        return found(problem=TOO_LARGE, detail=detail)
    block = record.reader.read()
    if len(block) < length:
        detail = f"the record has {len(block):,} of its {length:,} bytes"
        return found(problem=TRUNCATED, detail=detail, is_short=True)
    if why := record.headers.get("WARC-Truncated"):
        detail = f"the archiver has cut the record off ({why})"
        return found(problem=TRUNCATED, detail=detail)
    said = record.headers.get("Content-Type") or ""
    kind, declared = last_media_type([said]), Response(0, (("content-type", said),), block)
    if record.record_type == WarcRecordType.conversion:
        text = block.decode("utf-8", "replace")
        if kind != _HTML:
            return found(text if kind in _TEXT else declared)
        refers_to = (record.headers.get("WARC-Refers-To") or "").strip("<> ")
        return found(Response(0, _RENDERED, block), text, refers_to)
    if kind not in _HTTP and not block.startswith(b"HTTP/"):
        return found(declared)
    try:
        return found(response_of(block))
    except BodyError as error:
        return found(problem=_PROBLEMS[type(error)], detail=str(error))


def _next_beginning(file: BinaryIO, start: int) -> int | None:
    """Where the next record may begin, from ``start`` on; None if nowhere."""
    file.seek(start)
    rest, position, size = b"", start, _FIRST_CHUNK
    while chunk := file.read(size):
        size = min(_CHUNK, 4 * size)
        window = rest + chunk
        found = [at for mark in _BEGINNINGS if (at := window.find(mark)) >= 0]
        if found:
            return position + min(found)
        rest = window[1 - _LONGEST_BEGINNING :]
        position += len(window) - len(rest)
    return None

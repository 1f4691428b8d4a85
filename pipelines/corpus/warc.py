"""WARC 1.1 files of the fetched responses, so that they can be extracted again later.

Files are numbered, rotated and completed like shards. Each record is a separate gzip member, so
after a crash a file is truncated to its last intact record. Bodies are stored as the extractor
reads them, without content encoding; the headers that described it are kept with the prefix
``X-Archive-Orig-``, as other archivers do. The record of a page that was rendered is followed by
one of its DOM, a conversion that refers to it (WARC 1.1, section 6.7).
"""

from __future__ import annotations

import logging
import os
import re
import time
import zlib
from contextlib import suppress
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import Self

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from corpus_commons.durable_files import (
    complete,
    make_folder,
    replace_file,
    salvage,
    sync_directory,
)
from corpus_commons.extras import DISTRIBUTION, installed_version
from crawler.items import Page, timestamp
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.layout import OPEN, WARC, WARC_SUFFIX, Layout
from pipelines.corpus.page_output import PageOutput
from pipelines.corpus.shards import Rotation
from settings.tables.outputs import Outputs

_log = logging.getLogger(__name__)

_VERSION = "1.1"
_CHUNK = 1024 * 1024
_FORMAT = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
# These headers describe the body as transferred, not as stored.
_TRANSFER_HEADERS = frozenset({"content-encoding", "content-length", "transfer-encoding"})
_GZIP = 16 + zlib.MAX_WBITS
_RENDERED = "text/html; charset=utf-8"
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]+")


class WarcSeries(PageOutput):
    """The WARC files of one writer.

    Files that a crash left open are not touched: ``recover`` completes them.
    """

    def __init__(self, layout: Layout, *, rotation: Rotation | None = None) -> None:
        self._layout = layout
        self._folder = layout.folder / WARC
        self._rotation = rotation or Rotation(bytes=1024**3)
        self._file: _WarcFile | None = None
        try:
            make_folder(self._folder)
            self._next = self._next_number()
        except OSError as error:
            raise CorpusError(f"cannot write {self._folder}: {error}") from error

    @classmethod
    def of_job(cls, outputs: Outputs, layout: Layout) -> Self | None:
        """Recovers the files first, even if this job writes none: an earlier run may have."""
        recover(layout)
        return cls(layout) if outputs.warc else None

    def write(self, page: Page, version: int = 1) -> dict[str, str]:
        """Append the page's response, and its DOM if it was rendered; durable after ``sync``.

        Does nothing if there is no response, for example because it was too large. A page that does
        not fit into a record is skipped with a warning, and its document is kept.
        """
        if page.status:
            self._append(page)
        return {}

    def _append(self, page: Page) -> None:
        try:
            if self._file is None:
                self._file = self._begin()
            self._file.write(page)
            if self._file.is_complete(self._rotation):
                self.complete()
        except OSError as error:
            raise self._failure(error) from error
        except ValueError as error:
            # The headers are encoded before anything is written, so the file is still intact.
            _log.warning("could not write %s to the WARC file: %s", page.url, error)

    def sync(self) -> None:
        try:
            if self._file is not None:
                self._file.sync()
        except OSError as error:
            raise self._failure(error) from error

    def complete(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            try:
                file.sync()
                file.close()
                complete(file.path)
            except OSError as error:
                raise self._failure(error) from error

    def _begin(self) -> _WarcFile:
        name = f"{self._layout.writer}-{self._next:06d}{WARC_SUFFIX}"
        make_folder(self._layout.state)
        replace_file(self._layout.last_warc, name.encode())
        self._next += 1
        return _WarcFile(self._folder / (name + OPEN), name)

    def _next_number(self) -> int:
        """One more than the highest number ever used, even if those files were moved away."""
        names = [path.name for path in self._layout.warc_files()]
        with suppress(FileNotFoundError):
            names.append(self._layout.last_warc.read_text("utf-8", "replace"))
        return self._layout.next_number(names, WARC_SUFFIX)

    def _failure(self, error: OSError) -> CorpusError:
        return CorpusError(
            f"cannot write {self._folder}: {error.strerror or error}; free some disk space and "
            "start again, which also cuts off the torn end of the file"
        )


class _WarcFile:
    """The WARC file that is being written."""

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        self._began = time.monotonic()
        self._file = path.open("xb")
        sync_directory(path.parent)
        self._writer = WARCWriter(self._file, gzip=True, warc_version=_VERSION)
        info = {
            "software": "/".join(filter(None, (DISTRIBUTION, installed_version()))),
            "format": f"WARC File Format {_VERSION}",
            "conformsTo": _FORMAT,
        }
        self._writer.write_record(self._writer.create_warcinfo_record(name, info))

    def write(self, page: Page) -> None:
        url = _one_line(page.url.encode("ascii", "backslashreplace").decode())
        date = {"WARC-Date": timestamp(page.fetched_at)}
        response = self._writer.create_warc_record(
            url,
            "response",
            payload=BytesIO(page.html),
            http_headers=_http_headers(page),
            warc_headers_dict=date,
        )
        self._writer.write_record(response)
        if page.rendered_html is None:
            return
        refers_to = {"WARC-Refers-To": response.rec_headers.get_header("WARC-Record-ID")}
        rendered = self._writer.create_warc_record(
            url,
            "conversion",
            payload=BytesIO(page.rendered_html.encode("utf-8", "replace")),
            warc_content_type=_RENDERED,
            warc_headers_dict=date | refers_to,
        )
        self._writer.write_record(rendered)

    def is_complete(self, rotation: Rotation) -> bool:
        age = time.monotonic() - self._began
        return self._file.tell() >= rotation.bytes or age >= rotation.seconds

    def sync(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


def _http_headers(page: Page) -> StatusAndHeaders:
    """The response's headers, adapted to the stored body."""
    headers = [
        (f"X-Archive-Orig-{name}" if name in _TRANSFER_HEADERS else _ascii(name), _one_line(value))
        for name, value in page.headers
    ]
    headers.append(("Content-Length", str(len(page.html))))
    phrases = {status.value: status.phrase for status in HTTPStatus}
    status = f"{page.status} {phrases.get(page.status, '')}".strip()
    return StatusAndHeaders(status, headers, protocol="HTTP/1.1")


def _ascii(name: str) -> str:
    """A header name in ASCII, the only characters allowed there."""
    return _one_line(name).encode("ascii", "replace").decode()


def _one_line(value: str) -> str:
    """A value without line breaks, which would start another header."""
    return _UNPRINTABLE.sub(" ", value).encode("latin-1", "replace").decode("latin-1").strip()


def recover(layout: Layout) -> None:
    """Complete the files that a crash left open, each truncated to its last intact record.

    Only the writer itself may call this, before it writes. Raises CorpusError if a write fails.
    """
    for path in layout.warc_files():
        if path.name.endswith(OPEN):
            try:
                salvage(path, _whole_records(path))
            except OSError as error:
                raise CorpusError(f"cannot recover {path}: {error}") from error
            _log.warning("recovered %s", path)


def _whole_records(path: Path) -> int:
    """Bytes up to the end of the last intact gzip member."""
    whole = position = 0
    member = zlib.decompressobj(_GZIP)
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            while chunk:
                before = len(chunk)
                try:
                    member.decompress(chunk, _CHUNK)
                except zlib.error:
                    return whole
                chunk = member.unused_data if member.eof else member.unconsumed_tail
                position += before - len(chunk)
                if member.eof:
                    whole, member = position, zlib.decompressobj(_GZIP)
    return whole

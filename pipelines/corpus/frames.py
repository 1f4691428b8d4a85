"""Zstandard frames, of which shards are made; finds how far a torn shard is intact.

A shard is a concatenation of frames of whole lines. ``zstd`` and streaming libraries read it as one
file, but ``ZstdDecompressor().decompress()`` reads only the first frame. Each frame has a checksum
and was fsynced before the next began, so after a crash only the last one can be torn.
"""

from __future__ import annotations

import io
import mmap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Final

import orjson
import zstandard

from pipelines.corpus.errors import ShardDamagedError
from pipelines.corpus.manifest import ShardEntry

LEVEL: Final = 3
# Readers refuse longer lines; documents are far shorter, because pages have at most 10 MB.
MAX_LINE: Final = 128 * 1024 * 1024

_MAGIC: Final = zstandard.FRAME_HEADER
_READ: Final = 1024 * 1024
# Sizes in bytes, and the block type that stores one repeated byte (RFC 8878, section 3.1.1).
_LONGEST_HEADER: Final = 18
_BLOCK_HEADER: Final = 3
_CHECKSUM: Final = 4
_RUN_LENGTH: Final = 1


def frame(lines: Iterable[bytes], level: int = LEVEL) -> bytes:
    """One compressed frame with a checksum; every line ends with a newline."""
    compressor = zstandard.ZstdCompressor(level=level, write_checksum=True)
    return compressor.compress(b"".join(lines))


def read_lines(path: Path, size: int) -> Iterator[bytes]:
    """The lines in the first ``size`` bytes of a shard, without their newlines.

    Memory is bounded by a few times the longest line. Raises ShardDamagedError if the shard does
    not decompress or a line is longer than MAX_LINE. A file that is cut off inside a frame just
    ends early; only what the manifest lists tells that.
    """
    with path.open("rb") as file:
        yield from _lines(file, size, path)


def _lines(file: BinaryIO, size: int, path: Path) -> Iterator[bytes]:
    """The lines in the next ``size`` bytes of the file, as ``read_lines`` reads them."""
    # The stubs require a full file object, but only read() is called.
    reader = zstandard.ZstdDecompressor().stream_reader(
        _Beginning(file, size),  # type: ignore[arg-type]
        read_across_frames=True,
    )
    stream = io.BufferedReader(reader, _READ)
    while line := _read_line(stream, path):
        if len(line) > MAX_LINE:
            raise ShardDamagedError(f"{path} has a line of more than {MAX_LINE:,} bytes")
        if not line.endswith(b"\n"):
            raise ShardDamagedError(f"{path} does not end with a newline")
        yield line[:-1]


class _Beginning:
    """The first ``size`` bytes of a file; a torn frame may follow them."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._left = size

    def read(self, size: int) -> bytes:
        content = self._file.read(min(size, self._left))
        self._left -= len(content)
        return content


def _read_line(stream: io.BufferedIOBase, path: Path) -> bytes:
    try:
        return stream.readline(MAX_LINE + 1)
    except zstandard.ZstdError as error:
        raise ShardDamagedError(f"{path} does not decompress: {error}") from error


@dataclass(slots=True)
class Survey:
    """The content of the intact frames of a shard.

    whole: their size in bytes; whatever follows was torn by a crash.
    documents: the number of lines in them. sha256: of these bytes, hexadecimal.
    first_time, last_time: the earliest and latest ``fetched_at``; empty if there is no line.
    """

    whole: int = 0
    documents: int = 0
    sha256: str = ""
    first_time: str = ""
    last_time: str = ""

    def count(self, line: Any) -> None:
        """Count a decoded line."""
        self.documents += 1
        self._span(time := time_of(line), time)

    def add(self, frame: Survey) -> None:
        """Add the next frame."""
        self.whole = frame.whole
        self.documents += frame.documents
        self._span(frame.first_time, frame.last_time)

    def _span(self, first: str, last: str) -> None:
        self.first_time = min(filter(None, (self.first_time, first)), default="")
        self.last_time = max(self.last_time, last)

    def entry(self, file: str) -> ShardEntry:
        """The manifest entry of the shard once it is cut to its intact frames."""
        return ShardEntry(
            file, self.documents, self.whole, self.sha256, self.first_time, self.last_time
        )


def survey(path: Path) -> Survey:
    """Read a shard frame by frame, up to the last intact one.

    Memory is bounded as in ``read_lines``. Raises ShardDamagedError if an intact frame follows a
    broken one. A crash cannot cause that, and cutting there would lose acknowledged documents.
    """
    found = Survey()
    digest = sha256()
    with path.open("rb") as file:
        size = file.seek(0, 2)
        if size:
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
                shard = _MappedShard(path, file, content)
                while (taken := shard.whole_frame(found.whole)) is not None:
                    found.add(taken)
                with memoryview(content) as view, view[: found.whole] as whole:
                    digest.update(whole)
                if found.whole < size and shard.has_frame(found.whole + 1):
                    raise ShardDamagedError(
                        f"{path} is damaged at byte {found.whole:,} but intact after it, which a "
                        "crash cannot cause; keep a copy and check the disk"
                    )
    found.sha256 = digest.hexdigest()
    return found


def time_of(line: Any) -> str:
    """``fetched_at`` of a decoded line; empty if it has none."""
    metadata = line.get("metadata") if isinstance(line, dict) else None
    moment = metadata.get("fetched_at") if isinstance(metadata, dict) else None
    return moment if isinstance(moment, str) else ""


@dataclass(frozen=True, slots=True)
class _MappedShard:
    """A shard that is searched for frames; ``content`` is all of ``file``."""

    path: Path
    file: BinaryIO
    content: mmap.mmap

    def whole_frame(self, start: int) -> Survey | None:
        """The content of the frame at ``start``; None if it is torn or there is none."""
        end = _frame_end(self.content, start)
        if end is None:
            return None
        found = Survey(whole=end)
        self.file.seek(start)
        try:
            for line in _lines(self.file, end - start, self.path):
                found.count(orjson.loads(line))
        except (ShardDamagedError, orjson.JSONDecodeError):
            return None
        return found

    def has_frame(self, start: int) -> bool:
        """Whether there is an intact frame at ``start`` or after it."""
        position = self.content.find(_MAGIC, start)
        while position >= 0:
            if self.whole_frame(position) is not None:
                return True
            position = self.content.find(_MAGIC, position + 1)
        return False


def _frame_end(content: mmap.mmap, start: int) -> int | None:
    """Where the frame at ``start`` ends, by the sizes of its blocks (RFC 8878, section 3.1.1).

    None if it is cut off or there is none. Nothing is decompressed, because a block may expand to
    thousands of times its size.
    """
    head = content[start : start + _LONGEST_HEADER]
    try:
        position = start + zstandard.frame_header_size(head)
        checksum = _CHECKSUM if zstandard.get_frame_parameters(head).has_checksum else 0
    except zstandard.ZstdError:
        return None
    is_last = False
    while not is_last:
        block = int.from_bytes(content[position : position + _BLOCK_HEADER], "little")
        is_last, kind, size = bool(block & 1), block >> 1 & 3, block >> 3
        position += _BLOCK_HEADER + (1 if kind == _RUN_LENGTH else size)
        if position + checksum > len(content):
            return None
    return position + checksum

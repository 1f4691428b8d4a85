"""Zstandard frames of whole lines: what a shard is made of, and how far a broken one is whole.

A shard is a concatenation of frames. ``zstd`` and libraries that stream read it as one file, but
``ZstdDecompressor().decompress()`` reads the first frame only. Each frame has a checksum and was
fsynced before the next began; so after a crash only the last can be torn.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Final

import orjson
import zstandard

from pipelines.errors import ShardDamagedError
from pipelines.manifest import ShardEntry

LEVEL: Final = 3
# A longer line is refused when read; documents are far below, as pages have 10 MB at most.
MAX_LINE: Final = 128 * 1024 * 1024

_MAGIC: Final = zstandard.FRAME_HEADER
_CHUNK: Final = 64 * 1024
_READ: Final = 1024 * 1024


def frame(lines: Iterable[bytes], level: int = LEVEL) -> bytes:
    """One compressed frame with a checksum; every line ends with a newline."""
    compressor = zstandard.ZstdCompressor(level=level, write_checksum=True)
    return compressor.compress(b"".join(lines))


def read_lines(path: Path, size: int) -> Iterator[bytes]:
    """The lines in the first ``size`` bytes of a shard, without their newlines.

    Memory is bounded by the longest line. Raises ShardDamagedError where it does not decompress or
    a line is longer than MAX_LINE. A file cut off inside a frame ends early; its checksum in the
    manifest tells.
    """
    rest = b""
    decompressor = zstandard.ZstdDecompressor()
    with path.open("rb") as file:
        # Its types ask for a whole file, and it calls read().
        reader = decompressor.stream_reader(
            _Beginning(file, size),  # type: ignore[arg-type]
            read_across_frames=True,
        )
        while chunk := _read(reader, path):
            *lines, rest = (rest + chunk).split(b"\n")
            yield from lines
            if len(rest) > MAX_LINE:
                raise ShardDamagedError(f"{path} has a line of more than {MAX_LINE:,} bytes")
    if rest:
        raise ShardDamagedError(f"{path} does not end with a newline")


class _Beginning:
    """The first ``size`` bytes of a file: behind them a frame may be torn."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._left = size

    def read(self, size: int) -> bytes:
        content = self._file.read(min(size, self._left))
        self._left -= len(content)
        return content


def _read(reader: zstandard.ZstdDecompressionReader, path: Path) -> bytes:
    try:
        return reader.read(_READ)
    except zstandard.ZstdError as error:
        raise ShardDamagedError(f"{path} does not decompress: {error}") from error


@dataclass(slots=True)
class Survey:
    """What the whole frames of a shard hold.

    whole: their size in bytes; what is behind was torn by a crash.
    documents: their lines. sha256: of these bytes, hexadecimal.
    first_time, last_time: the earliest and latest ``fetched_at``; empty if there is no line.
    """

    whole: int = 0
    documents: int = 0
    sha256: str = ""
    first_time: str = ""
    last_time: str = ""

    def entry(self, file: str) -> ShardEntry:
        """What a manifest says of a shard that is as long as its whole frames."""
        return ShardEntry(
            file, self.documents, self.whole, self.sha256, self.first_time, self.last_time
        )


def survey(path: Path) -> Survey:
    """Read a shard frame by frame, to the last whole one.

    Raises ShardDamagedError if a whole frame follows a broken one, which no crash leaves:
    cutting there would throw away what was promised to be safe.
    """
    found = Survey()
    digest = sha256()
    with path.open("rb") as file:
        size = file.seek(0, 2)
        if size:
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
                while (taken := _whole_frame(content, found.whole)) is not None:
                    end, lines = taken
                    digest.update(content[found.whole : end])
                    found.whole = end
                    _count(found, lines)
                if found.whole < size and _has_frame(content, found.whole + 1):
                    raise ShardDamagedError(
                        f"{path} is broken at byte {found.whole:,} and whole again behind it; "
                        "a crash does not do that. Keep a copy, then look at the disk"
                    )
    found.sha256 = digest.hexdigest()
    return found


def time_of(line: Any) -> str:
    """``fetched_at`` of a decoded line; empty if it has none."""
    metadata = line.get("metadata") if isinstance(line, dict) else None
    moment = metadata.get("fetched_at") if isinstance(metadata, dict) else None
    return moment if isinstance(moment, str) else ""


def _count(found: Survey, lines: list[bytes]) -> None:
    times = [time for line in lines if (time := time_of(orjson.loads(line)))]
    found.documents += len(lines)
    if times:
        found.first_time = min(filter(None, (found.first_time, *times)))
        found.last_time = max(found.last_time, *times)


def _whole_frame(content: mmap.mmap, start: int) -> tuple[int, list[bytes]] | None:
    """The end of the frame at ``start`` and its lines; None if it is torn or there is none."""
    if content[start : start + len(_MAGIC)] != _MAGIC:
        return None
    decompressor = zstandard.ZstdDecompressor().decompressobj()
    parts: list[bytes] = []
    position = start
    try:
        while not decompressor.eof:
            chunk = content[position : position + _CHUNK]
            if not chunk:
                return None
            parts.append(decompressor.decompress(chunk))
            position += len(chunk)
        lines = b"".join(parts).split(b"\n")
        if lines.pop():
            return None
        for line in lines:
            orjson.loads(line)
    except (zstandard.ZstdError, orjson.JSONDecodeError):
        return None
    return position - len(decompressor.unused_data), lines


def _has_frame(content: mmap.mmap, start: int) -> bool:
    position = content.find(_MAGIC, start)
    while position >= 0:
        if _whole_frame(content, position) is not None:
            return True
        position = content.find(_MAGIC, position + 1)
    return False

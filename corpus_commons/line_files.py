"""Files of one record per line, ``.jsonl`` or ``.jsonl.zst``, read with size limits."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import IO, TypeVar

import zstandard

Record = TypeVar("Record")

# JSON may write one character as six bytes.
MAX_LINE = 80_000_000
# The largest window that the files at hand were written with.
_MAX_WINDOW = 1 << 27


def read_records(path: Path, parse: Callable[[bytes], Record]) -> Iterator[Record]:
    """What ``parse`` makes of every line; decompressed if the file's name ends in ``.zst``.

    Raises ValueError, naming file and line, if ``parse`` does, for a line of more than MAX_LINE
    bytes, and for data that is not compressed.
    """
    with _unpacked(path) as stream:
        for number in count(1):
            try:
                line = stream.readline(MAX_LINE + 1)
                if not line:
                    return
                if len(line) > MAX_LINE:
                    raise ValueError(f"it has more than {MAX_LINE:,} bytes")
                record = parse(line)
            except (zstandard.ZstdError, ValueError) as error:
                raise ValueError(f"{path}, line {number}: {error}") from error
            yield record


@contextmanager
def _unpacked(path: Path) -> Iterator[IO[bytes]]:
    with path.open("rb") as file:
        if path.suffix == ".zst":
            reader = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW)
            yield io.BufferedReader(reader.stream_reader(file, read_across_frames=True))
        else:
            yield file

"""Files of one record per line, ``.jsonl`` or ``.jsonl.zst``, read with size limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from io import BufferedIOBase
from itertools import count
from pathlib import Path
from typing import Final, TypeVar

from backports import zstd

Record = TypeVar("Record")

# JSON may write one character as six bytes.
MAX_LINE = 80_000_000
# The largest window that the files at hand were written with has 2**27 bytes.
_OPTIONS: Final[Mapping[int, int]] = {zstd.DecompressionParameter.window_log_max: 27}


def read_records(path: Path, parse: Callable[[bytes], Record]) -> Iterator[Record]:
    """What ``parse`` makes of every line; decompressed if the file's name ends in ``.zst``.

    Raises ValueError, naming file and line, if ``parse`` does, for a line of more than MAX_LINE
    bytes, and for data that is not compressed, or cut short.
    """
    with _opened(path) as stream:
        for number in count(1):
            try:
                line = stream.readline(MAX_LINE + 1)
                if not line:
                    return
                if len(line) > MAX_LINE:
                    raise ValueError(f"it has more than {MAX_LINE:,} bytes")
                record = parse(line)
            except (zstd.ZstdError, EOFError, ValueError) as error:
                raise ValueError(f"{path}, line {number}: {error}") from error
            yield record


def _opened(path: Path) -> BufferedIOBase:
    return zstd.open(path, options=_OPTIONS) if path.suffix == ".zst" else path.open("rb")

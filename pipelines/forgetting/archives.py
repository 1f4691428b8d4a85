"""WARC files without the records of some pages; all other bytes stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from pipelines.corpus.errors import DamagedError

_CHUNK: Final = 1024 * 1024


def without(path: Path, is_wanted: Callable[[str], bool], target: Callable[[], Path]) -> list[str]:
    """Copy a WARC file without the records of wanted URLs; returns these.

    target: gives the path of the copy; called only if there are any.
    Raises DamagedError for a file that cannot be read, and OSError.
    """
    spans, gone = [], []
    for start, size, url in _records(path):
        if url and is_wanted(url):
            gone.append(url)
        else:
            spans.append((start, size))
    if gone:
        with path.open("rb") as file, target().open("wb") as copy:
            for start, size in spans:
                file.seek(start)
                for left in range(size, 0, -_CHUNK):
                    copy.write(file.read(min(left, _CHUNK)))
    return gone


def _records(path: Path) -> Iterator[tuple[int, int, str | None]]:
    """Where each record begins, its compressed size in bytes, and its URL."""
    try:
        with path.open("rb") as file:
            records = ArchiveIterator(file)
            for record in records:
                url = record.rec_headers.get_header("WARC-Target-URI")
                records.read_to_end(record)
                yield records.get_record_offset(), records.get_record_length(), url
    except (ArchiveLoadFailed, EOFError) as error:
        raise DamagedError(f"{path} cannot be read: {error}") from error

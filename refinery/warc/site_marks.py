"""What archives tell of sites, in files: for each host the marks of a sample of its pages.

The sample are the pages with the smallest digests of their marks: the same whatever the order of
pages and archives, and uniform. Copies of a page have one digest, and take one place.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

from corpus_commons.durable_files import TEMPORARY, sync_directory
from extraction.site_memory import CAPACITY
from pipelines.reading.site_memories import memory_of

_BUCKETS: Final = 1 << 16
# Of the archives whose marks are in one file when they are joined.
_ARCHIVES_A_FILE: Final = 16
_MEMORIES_KEPT: Final = 500
_TABLE: Final = """
CREATE TABLE marks (bucket INTEGER, host TEXT, digest BLOB, marks BLOB,
                    PRIMARY KEY (bucket, host, digest)) WITHOUT ROWID
"""
_ADD: Final = """
INSERT INTO marks VALUES (:bucket, :host, :digest, :marks)
ON CONFLICT DO UPDATE SET marks = min(marks, excluded.marks)
"""
_TRIM: Final = """
DELETE FROM marks WHERE bucket = :bucket AND host = :host AND digest > (
  SELECT digest FROM marks WHERE bucket = :bucket AND host = :host
  ORDER BY digest LIMIT 1 OFFSET :capacity - 1)
"""
_OF_FILE: Final = "SELECT host, digest, marks FROM marks WHERE bucket >= ? AND bucket < ?"
_OF_HOST: Final = "SELECT marks FROM marks WHERE bucket = ? AND host = ? ORDER BY digest"


def files_for(archives: int) -> int:
    """In how many files the marks of so many archives are joined."""
    return -(-archives // _ARCHIVES_A_FILE)


class SiteMarks:
    """A file that is being made."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def add(self, host: str, marks: Mapping[bytes, bytes]) -> None:
        """Add marks of pages by their digest."""
        for digest, its in marks.items():
            row = {"bucket": _bucket(host), "host": host, "digest": digest, "marks": its}
            self._db.execute(_ADD, row)
            self._db.execute(_TRIM, {**row, "capacity": CAPACITY})

    def join(self, sources: Iterable[Path], number: int, files: int) -> None:
        """Add what belongs into this file, the one with this number of so many."""
        # Each file has a range of buckets, by which the rows of the sources are in order.
        begin, end = (-(-one * _BUCKETS // files) for one in (number, number + 1))
        for source in sources:
            with closing(_opened(source)) as other:
                for host, digest, marks in other.execute(_OF_FILE, (begin, end)):
                    self.add(host, {digest: marks})


@contextmanager
def site_marks(path: Path) -> Iterator[SiteMarks]:
    """A file that is there when the block ends without an error. Raises OSError."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}{TEMPORARY}")
    try:
        temporary.unlink(missing_ok=True)
        with closing(sqlite3.connect(temporary)) as db:
            # It is made anew after a crash.
            db.execute("PRAGMA journal_mode = OFF")
            db.execute("PRAGMA synchronous = OFF")
            db.execute(_TABLE)
            yield SiteMarks(db)
            db.commit()
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, sqlite3.Error):
            raise OSError(f"{temporary} cannot be written: {error}") from error
        raise
    with temporary.open("rb") as file:
        os.fsync(file.fileno())
    temporary.replace(path)
    sync_directory(path.parent)


class JoinedSites:
    """Memories of hosts, from joined files in order of their numbers."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = [_opened(path) for path in files]
        self.memory = lru_cache(_MEMORIES_KEPT)(self._memory)

    def marks(self, host: str) -> list[bytes]:
        """The marks of the host's pages."""
        if not self._files:
            return []
        bucket = _bucket(host)
        file = self._files[bucket * len(self._files) // _BUCKETS]
        found = file.execute(_OF_HOST, (bucket, host))
        return [marks for (marks,) in found]

    def _memory(self, host: str) -> bytes | None:
        """The memory of a host; None if nothing is known but a single page, or not even that."""
        marks = self.marks(host)
        return memory_of(host, marks) if len(marks) > 1 else None

    def close(self) -> None:
        for file in self._files:
            file.close()


def _bucket(host: str) -> int:
    return int.from_bytes(blake2b(host.encode(), digest_size=2).digest(), "little") % _BUCKETS


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)

"""Reads the held pages of a corpus folder, of any number of workers; they are never changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from corpus_commons.counts import number_of
from corpus_commons.sqlite_uri import sqlite_uri
from pipelines.corpus.errors import CorpusError, DamagedError
from pipelines.corpus.held_page import unpacked
from pipelines.corpus.layout import HELD, STATE
from pipelines.corpus.locks import is_in_use

_NOT_OPENED: Final = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM)


@dataclass(frozen=True, slots=True)
class HeldFile:
    """The held pages of one worker.

    count: of the pages. is_in_use: whether the worker is running.
    """

    path: Path
    count: int
    is_in_use: bool

    def lines(self) -> Iterator[bytes]:
        """Their documents, from the first reading, without newlines. Raises as ``held_files``."""
        with _opened(self.path) as db:
            for (content,) in db.execute("SELECT document FROM pages ORDER BY id"):
                yield unpacked(content).rstrip(b"\n")

    def note(self) -> str:
        """For the user: how many wait, and what completes them."""
        waits = number_of(self.count, "page waits for its site", "pages wait for their site")
        return f"{self.path}: {waits}; " + (
            "its crawl is running"
            if self.is_in_use
            else "start that crawl again to complete this, or merge the corpus to take what "
            "there is"
        )


def held_files(folder: Path) -> list[HeldFile]:
    """The files of a corpus folder that have any held pages, by worker.

    Raises DamagedError, or another CorpusError if one may not be opened.
    """
    found = []
    for path in sorted((folder / STATE).glob(f"*/{HELD}")):
        with _opened(path) as db:
            (tables,) = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            # A worker that was killed at its first page may have left an empty file.
            count = db.execute("SELECT count(*) FROM pages").fetchone()[0] if tables else 0
        if count:
            found.append(HeldFile(path, count, is_in_use(folder, path.parent.name)))
    return found


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(sqlite_uri(path, "ro"), uri=True)) as db:
            yield db
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _NOT_OPENED:
            raise CorpusError(
                f"cannot open {path} ({error}); look at its rights, or copy the corpus to where "
                "you may write"
            ) from error
        raise DamagedError(f"{path} cannot be read: {error}") from error

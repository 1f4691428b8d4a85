"""Reads the held pages of a corpus folder, of any number of workers; they are never changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from pipelines.corpus.errors import DamagedError
from pipelines.corpus.held_page import unpacked
from pipelines.corpus.layout import HELD, STATE
from pipelines.corpus.locks import is_in_use


@dataclass(frozen=True, slots=True)
class HeldFile:
    """The held pages of one worker.

    count: of the pages. is_in_use: whether the worker is running.
    """

    path: Path
    count: int
    is_in_use: bool

    def lines(self) -> Iterator[bytes]:
        """Their documents, from the first reading, without newlines. Raises DamagedError."""
        with _opened(self.path) as db:
            for (content,) in db.execute("SELECT document FROM pages ORDER BY id"):
                yield unpacked(content).rstrip(b"\n")

    def note(self) -> str:
        """For the user: how many wait, and what completes them."""
        waits = "page waits" if self.count == 1 else "pages wait"
        return f"{self.path}: {self.count:,} {waits} for more of their site; " + (
            "its crawl is running"
            if self.is_in_use
            else "start that crawl again to complete them, or merge the corpus to take them as "
            "they are"
        )


def held_files(folder: Path) -> list[HeldFile]:
    """The files of a corpus folder that have any held pages, by worker. Raises DamagedError."""
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
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as db:
            yield db
    except sqlite3.Error as error:
        raise DamagedError(f"{path} cannot be read: {error}") from error

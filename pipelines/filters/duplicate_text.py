"""Filters documents whose text is an exact copy of another document's."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from corpus_commons.transactions import transaction
from crawler.items import Document
from crawler.outcomes import DUPLICATE, Rejection
from pipelines.corpus.errors import CorpusError
from pipelines.filters.base import Filter
from pipelines.versions.fingerprint import words_digest
from settings.tables.filters import Filters

TEXTS: Final = "texts.sqlite"
_CACHE_KILOBYTES = 32_768

# WAL without fsync at each commit: a power failure may undo the last commits, but not more.
_SETUP = f"""
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA cache_size = -{_CACHE_KILOBYTES};
CREATE TABLE IF NOT EXISTS first_documents (
    digest INTEGER PRIMARY KEY, id BLOB NOT NULL, url TEXT NOT NULL DEFAULT '');
"""
_COLUMNS = "SELECT 1 FROM pragma_table_info('first_documents') WHERE name = 'url'"
_ADD_URL = "ALTER TABLE first_documents ADD COLUMN url TEXT NOT NULL DEFAULT ''"


@dataclass(frozen=True, slots=True)
class Copy(Rejection):
    """The text is that of another document, whose id and requested URL these are.

    url: empty if that document is in work, or was kept by an earlier release.
    words: the digest of the words of both.
    """

    id: str = ""
    url: str = ""
    words: bytes = b""


class DuplicateText(Filter):
    """Keeps one document for each text, ignoring differences in white space.

    Texts are compared by 64-bit digests: among 10 million texts, the probability of any collision
    is 3 in a million. The digests are stored in a file with the URLs of their pages, about 120
    bytes for each text, with a bounded cache in memory. A digest is stored only once its document
    is safe in a shard, so a crash may let a text through twice, but never loses it. A document with
    the same id is not a duplicate, and a text that its page no longer has may come again elsewhere.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        # Documents that passed and are not on disk yet; bounded by the pages in progress.
        self._pending: dict[int, str] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._store = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._store.executescript(_SETUP)
            if self._store.execute(_COLUMNS).fetchone() is None:  # written by an earlier release
                self._store.execute(_ADD_URL)
        except (OSError, sqlite3.Error) as error:
            raise self._failure(error) from error

    @classmethod
    def of_job(cls, filters: Filters, state: Path) -> Self | None:
        return cls(state / TEXTS) if filters.duplicates == "drop" else None

    def judge(self, document: Document) -> Rejection | None:
        words = _words(document.text)
        if words is None:
            return None
        digest = _integer(words)
        first = self._first(digest)
        if first is None:
            self._pending[digest] = document.id
        elif first[0] != document.id:
            detail = f"same text as document {first[0]}"
            return Copy(DUPLICATE, detail, *first, words)
        return None

    def remember(self, documents: Sequence[Document]) -> None:
        rows = [
            (_integer(words), bytes.fromhex(document.id), document.requested_url or "")
            for document in documents
            if (words := _words(document.text)) is not None
        ]
        self._change("INSERT OR IGNORE INTO first_documents VALUES (?, ?, ?)", rows)
        for digest, *_ in rows:
            self._pending.pop(digest, None)

    def release(self, texts: Sequence[tuple[str, bytes]]) -> None:
        rows = [(_integer(digest), bytes.fromhex(name)) for name, digest in texts]
        self._change("DELETE FROM first_documents WHERE digest = ? AND id = ?", rows)

    def forget(self, document: Document) -> None:
        words = _words(document.text)
        if words is not None and self._pending.get(_integer(words)) == document.id:
            del self._pending[_integer(words)]

    def close(self) -> None:
        self._store.close()

    def _first(self, digest: int) -> tuple[str, str] | None:
        """The id and URL (see ``Copy``) of the document that has this text; None if none has."""
        if digest in self._pending:
            return self._pending[digest], ""
        try:
            row = self._store.execute(
                "SELECT id, url FROM first_documents WHERE digest = ?", (digest,)
            ).fetchone()
        except sqlite3.Error as error:
            raise self._failure(error) from error
        return None if row is None else (row[0].hex(), row[1])

    def _change(self, statement: str, rows: Sequence[tuple[int | bytes | str, ...]]) -> None:
        if not rows:
            return
        try:
            with transaction(self._store):
                self._store.executemany(statement, rows)
        except sqlite3.Error as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> CorpusError:
        return CorpusError(f"cannot use {self._path}, the state of the duplicates filter: {error}")


def _words(text: str) -> bytes | None:
    """The digest of the words; None for a text without any."""
    return words_digest(text) if text and not text.isspace() else None


def _integer(digest: bytes) -> int:
    """As SQLite's signed integer."""
    return int.from_bytes(digest, "big", signed=True)
